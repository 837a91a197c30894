import { NOT_FOUND, SILENCE } from '@fundrail/payments/testing';
import { waitFor } from '@fundrail/testing';
import { DebitPlay, HOUR_MS } from '../testing/debits/debit-play.ts';

const MINUTE_MS = 60_000;
const YES = { kind: 'yes', value: null } as const;

describe('questions about a debit without a callback (POL-10, DEB-15)', () => {
  let play: DebitPlay;
  const start = async (variables: Readonly<Record<string, string>> = {}) => {
    play = await DebitPlay.start(variables);
  };
  afterEach(() => play.stop());

  /** How many questions were asked, one millisecond before each of these times after the execution, and at it. */
  const questionsAround = async (times: readonly number[]) => {
    const seen: number[] = [];
    let passed = 0;
    const pass = async (ms: number) => {
      await play.stage.pass(ms);
      await play.stage.settled();
      seen.push(play.bank.statusQueries.length);
    };
    await play.stage.settled();
    for (const at of times) {
      await pass(at - 1 - passed);
      await pass(1);
      passed = at;
    }
    return seen;
  };

  it('by UPI come after 90 s, 10 min and 60 min, then hourly from 2 h 5 min, each from one of five replicas', async () => {
    await start();
    while (play.stage.beside.length < 5) await play.addMandates();
    await play.executed();
    const times = [90_000, 10 * MINUTE_MS, HOUR_MS, 125 * MINUTE_MS, 185 * MINUTE_MS];
    expect(await questionsAround(times)).toEqual([...[0, 1, 1, 2, 2], ...[3, 3, 4, 4, 5]]);
  });

  it('by UPI come after UPI_STATUS_FIRST_SECONDS first', async () => {
    await start({ UPI_STATUS_FIRST_SECONDS: '45' });
    await play.executed();
    expect(await questionsAround([45_000, 10 * MINUTE_MS])).toEqual([0, 1, 1, 2]);
  });

  it('by UPI keep to the row when the execution is sent again', async () => {
    await start();
    play.bank.onExecute.set(SILENCE, YES);
    play.bank.onDebitStatus.set(NOT_FOUND);
    await play.executed();
    expect(await questionsAround([90_000, 10 * MINUTE_MS])).toEqual([0, 1, 1, 2]);
    expect(play.bank.executed.length).toBeGreaterThan(1);
  });

  it('of an e-mandate come after 5 s', async () => {
    await start();
    play.mandate = await play.anApproved({ mandate_type: 'E_MANDATE' });
    await play.raised();
    await play.stage.orderBecomes(play.order, 'submitted');
    await play.passUntil('2026-12-22 10:00');
    await waitFor(() => play.bank.executed.length === 1);
    expect(await questionsAround([5_000])).toEqual([0, 1]);
  });
});
