import type { AskedNow } from '@fundrail/contracts';
import { SILENCE } from '@fundrail/payments/testing';
import { DebitPlay } from '../testing/debits/debit-play.ts';

const MINUTE_MS = 60_000;

describe('a question of an operator about a debit (ADMIN-16, ADMIN-17)', () => {
  let play: DebitPlay;
  beforeEach(async () => {
    play = await DebitPlay.start();
  });
  afterEach(() => play.stop());

  const ask = async (id: number) => {
    const authorization = play.stage.neighbours.tokens.header('demo', 'admin');
    const path = `/admin/payments/${id}/ask`;
    const answer = await play.stage.send('POST', path, undefined, { authorization });
    const wait = answer.headers['retry-after'];
    return [answer.status, answer.status === 202 ? answer.json<AskedNow>().asked : wait] as const;
  };
  const pass = async (ms: number) => {
    await play.stage.pass(ms);
    await play.stage.settled();
  };
  const ASKED = [202, ['debit.status']] as const;

  it('by UPI counts within the policy, from five replicas, and the fourth waits', async () => {
    while (play.stage.beside.length < 5) await play.addMandates();
    const id = await play.executed();
    await play.stage.settled();
    expect(await ask(id)).toEqual([429, '90']);
    await pass(90_000);
    expect(play.bank.statusQueries).toHaveLength(1);
    for (const times of [2, 3]) {
      await pass(MINUTE_MS);
      expect(await ask(id)).toEqual(ASKED);
      await play.stage.settled();
      expect(play.bank.statusQueries).toHaveLength(times);
      expect(await ask(id)).toEqual([429, '60']);
    }
    await pass(MINUTE_MS);
    expect(await ask(id)).toEqual([429, String(120 * 60 - 90 - 180)]);
    await pass(115 * MINUTE_MS);
    expect(play.bank.statusQueries).toHaveLength(3);
  });

  it('of a client that cancels again and again leaves the schedule its last: three in two hours, none too early (POL-10)', async () => {
    play.bank.onExecute.set(SILENCE);
    play.bank.onDebitStatus.set(SILENCE);
    const id = await play.executed();
    const asked: number[] = [];
    for (const ms of [89_000, 1_000, 1_000, 1_000]) {
      expect((await play.cancel(id)).status).toBe(503);
      asked.push(play.bank.statusQueries.length);
      await pass(ms);
    }
    // The first is the schedule's after 90 seconds, the second the client's.
    expect([...asked, play.bank.statusQueries.length]).toEqual([0, 0, 2, 2, 2]);
    await pass(58 * MINUTE_MS);
    expect(play.bank.statusQueries).toHaveLength(2);
    await pass(MINUTE_MS);
    expect(play.bank.statusQueries).toHaveLength(3);
    expect((await play.cancel(id)).status).toBe(503);
    expect(play.bank.statusQueries).toHaveLength(3);
    await pass(65 * MINUTE_MS);
    expect(play.bank.statusQueries).toHaveLength(4);
  });

  it('is a 409 while no execution is open', async () => {
    const id = await play.raised();
    expect((await ask(id))[0]).toBe(409);
  });
});
