import type { MandateState } from '@fundrail/providers';
import { NOT_FOUND, SILENCE } from '../testing/fake-provider.ts';
import { MandatesUnderTest } from '../testing/mandates-under-test.ts';

const FIRST_PAUSE_MS = 5_000;

/** No call after CANCELLED, PAUSED or EXPIRED was acknowledged to the caller: for a notification, the caller is the provider. */
describe('a mandate with an unconfirmed report of the provider', () => {
  let mandates: MandatesUnderTest;
  beforeEach(async () => {
    mandates = await MandatesUnderTest.start(2);
  });
  afterEach(() => mandates.stop());

  const answering = (status: MandateState['status']) => () => ({ kind: 'yes', value: { status } }) as const;
  /** An approved mandate with an admitted debit. Its provider reports a state and then does not answer. */
  const inDoubt = async (state: string | null = 'paused'): Promise<{ id: number; payment: number }> => {
    const id = await mandates.createApproved({ mandate_type: 'E_MANDATE' });
    await mandates.settled();
    mandates.provider.onStatus = () => SILENCE;
    expect((await mandates.callback(`tok_${id}`, state)).status).toBe(200);
    return { id, payment: 9001 };
  };

  it.each(['paused', 'an unknown word', 'rejected'])('%s: attempts wait', async (word) => {
    const { id, payment } = await inDoubt(word === 'an unknown word' ? null : word);
    await mandates.due(id, payment);
    for (const at of [0, 1]) expect(await mandates.tried(payment, at)).toBe('not attempted');
    expect([mandates.provider.executed, (await mandates.debit()).state]).toEqual([[], 'planned']);
    expect((await mandates.get(id)).mandate_status).toBe('APPROVED');
  });

  it('after a report that payments passes on, it is in doubt at once, and once for the provider’s event id', async () => {
    const id = await mandates.createApproved();
    await mandates.settled();
    await mandates.admit(id);
    mandates.provider.onStatus = () => SILENCE;
    const fact = {
      provider_name: 'GATEWAYPOA',
      mandate_token: `tok_${id}`,
      status: 'paused',
      event_id: 'e1',
    };
    for (let times = 0; times < 2; times += 1)
      expect((await mandates.internal('/facts', fact)).body).toEqual({ taken: true });
    await mandates.consume('mandate_fact.received', fact);
    expect(await mandates.admit(id, { payment_id: 9002, old_id: 502 })).toEqual({ outcome: 'later' });
    expect(await mandates.rows('SELECT facts_seq FROM mandates')).toEqual([{ facts_seq: 1 }]);
  });

  it('admissions have to be requested again, and an admitted debit stays admitted', async () => {
    const id = await mandates.createApproved();
    await mandates.settled();
    await mandates.admit(id);
    mandates.provider.onStatus = () => SILENCE;
    await mandates.callback(`tok_${id}`, 'paused');
    expect(await mandates.admit(id, { payment_id: 9002, old_id: 502 })).toEqual({ outcome: 'later' });
    expect((await mandates.admit(id)).outcome).toBe('admitted');
    expect(await mandates.rows('SELECT FROM mandate_debits')).toHaveLength(1);
  });

  it.each([
    ['paused', 'PAUSED', 'not attempted'],
    ['cancelled', 'CANCELLED', 'not attempted'],
    ['rejected', 'CANCELLED', 'not attempted'],
    ['active', 'APPROVED', 'attempted'],
  ] as const)('confirmed as %s it is %s, and a debit is %s', async (state, status, outcome) => {
    const { id, payment } = await inDoubt();
    mandates.provider.onStatus = answering(state);
    await mandates.pass(FIRST_PAUSE_MS);
    await mandates.settled();
    expect((await mandates.get(id)).mandate_status).toBe(status);
    await mandates.due(id, payment);
    expect(await mandates.execute(payment)).toBe(outcome);
  });

  it('ends when the provider has not found the mandate for a day, and not before', async () => {
    const { id } = await inDoubt();
    mandates.provider.onStatus = () => NOT_FOUND;
    for (const ms of [FIRST_PAUSE_MS, 3_600_000]) {
      await mandates.pass(ms);
      await mandates.settled();
    }
    expect(await mandates.rows('SELECT mandate_status FROM mandates WHERE doubted_at IS NOT NULL')).toEqual([
      { mandate_status: 'APPROVED' },
    ]);
    await mandates.pass(24 * 3_600_000);
    await mandates.settled();
    expect((await mandates.get(id)).mandate_status).toBe('CANCELLED');
  });

  it('an answer from before the last notification confirms nothing', async () => {
    const { id, payment } = await inDoubt();
    const said: { outcome: unknown; asked: number } = { outcome: null, asked: 0 };
    mandates.provider.onStatus = async () => {
      said.asked += 1;
      if (said.asked > 1) return SILENCE;
      await mandates.callback(`tok_${id}`, 'paused');
      return answering('active')();
    };
    await mandates.pass(FIRST_PAUSE_MS);
    await mandates.settled();
    await mandates.due(id, payment);
    expect(await mandates.tried(payment)).toBe('not attempted');
  });

  it('a pause reported before the approval puts it in doubt from its approval on', async () => {
    const id = await mandates.create();
    mandates.provider.onStatus = () => SILENCE;
    await mandates.callback(`tok_${id}`, 'paused');
    await mandates.authorisationFact({ mandate_id: id });
    expect(await mandates.admit(id)).toEqual({ outcome: 'later' });
    mandates.provider.onStatus = answering('active');
    await mandates.pass(FIRST_PAUSE_MS);
    await mandates.settled();
    expect((await mandates.admit(id)).outcome).toBe('admitted');
  });

  it('a cancel ends the doubt', async () => {
    const { id, payment } = await inDoubt();
    expect((await mandates.cancel(id)).status).toBe(200);
    await mandates.due(id, payment);
    expect(await mandates.execute(payment)).toBe('not attempted');
  });
});
