import type { AdmitDebit, DebitResults } from '@fundrail/contracts';
import { setFaultHandler } from '@fundrail/testing';
import { anAdmission, rupees, STRANGER } from '../testing/mandate.builder.ts';
import { MandatesUnderTest } from '../testing/mandates-under-test.ts';

type Result = DebitResults['results'][number];

describe('debits that are admitted together (SIP-25)', () => {
  let mandates: MandatesUnderTest;
  let mandate: number;
  let payment = 9_000;
  beforeAll(async () => {
    mandates = await MandatesUnderTest.start();
  });
  beforeEach(async () => {
    mandate = await mandates.createApproved();
  });
  afterAll(() => mandates.stop());

  /** Of a payment and an order of their own. */
  const debit = (changes: Partial<AdmitDebit> = {}): AdmitDebit => {
    payment += 1;
    return anAdmission({ mandate_id: mandate, payment_id: payment, old_id: payment, ...changes });
  };
  const admitAll = async (...debits: AdmitDebit[]): Promise<readonly Result[]> =>
    (await mandates.internal<DebitResults>('/debits/batch', { debits })).body.results;
  const outcomes = async (...debits: AdmitDebit[]) =>
    (await admitAll(...debits)).map(({ outcome }) => outcome);
  const stored = (...debits: AdmitDebit[]) =>
    mandates.rows<{ payment_id: number; state: string; written_by: string }>(
      `SELECT payment_id, state, xmin::text AS written_by FROM mandate_debits WHERE payment_id = ANY ($1) ORDER BY payment_id`,
      debits.map(({ payment_id }) => payment_id),
    );
  const change = (set: string, id: number) => mandates.rows(`UPDATE mandates SET ${set} WHERE id = $1`, id);

  it('are stored in one transaction, each with its result in the order of the requests', async () => {
    const other = await mandates.createApproved({ mandate_limit: 9000 });
    const debits = [
      debit(),
      debit({ mandate_id: other, amount: rupees('6000') }),
      debit({ amount: rupees('6000') }),
      debit(),
    ];
    const results = await admitAll(...debits);
    expect(results).toMatchObject([
      { outcome: 'admitted', mandate: { id: mandate } },
      { outcome: 'admitted', mandate: { id: other } },
      { outcome: 'refused', code: 'MANDATE_LIMIT_EXCEEDED' },
      { outcome: 'admitted', mandate: { id: mandate } },
    ]);
    const rows = await stored(...debits);
    expect(rows.map(({ state }) => state)).toEqual(['admitted', 'admitted', 'admitted']);
    expect(new Set(rows.map(({ written_by }) => written_by)).size).toBe(1);
  });

  it('have the results that each alone would have', async () => {
    const [unauthorised, short, doubted, free] = [
      await mandates.create(),
      await mandates.createApproved({ valid_to: mandates.today }),
      await mandates.createApproved(),
      await mandates.createApproved(),
    ];
    await change('doubted_at = now()', doubted);
    const [held, own, released, succeeded] = [debit(), debit(), debit(), debit()];
    for (const one of [held, own, released, succeeded]) await mandates.internal('/debits', one);
    await mandates.internal('/debits/release', { tenant: 'demo', payment_id: released.payment_id });
    await mandates.rows(
      `UPDATE mandate_debits SET state = 'succeeded', ended_at = admitted_at, check_at = NULL WHERE payment_id = $1`,
      succeeded.payment_id,
    );
    const asked: [AdmitDebit, string][] = [
      [debit({ mandate_id: 999_999 }), 'BAD_REQUEST_ERROR'],
      [debit({ tenant: 'other' }), 'BAD_REQUEST_ERROR'],
      [debit({ investor_profile: STRANGER }), 'BAD_REQUEST_ERROR'],
      [debit({ mandate_id: unauthorised }), 'MANDATE_NOT_APPROVED'],
      [debit({ mandate_id: short }), 'MANDATE_NOT_APPROVED'],
      [debit({ amount: rupees('5000.01') }), 'MANDATE_LIMIT_EXCEEDED'],
      [debit({ old_id: held.old_id }), 'PAYMENT_ALREADY_EXISTS'],
      [{ ...own, old_id: held.old_id + 5_000 }, 'PAYMENT_ALREADY_EXISTS'],
      [succeeded, 'PAYMENT_ALREADY_EXISTS'],
      [debit({ mandate_id: doubted }), 'later'],
      [debit({ mandate_id: free }), 'admitted'],
      [released, 'admitted'],
      [debit({ old_id: succeeded.old_id, replaces: [succeeded.payment_id] }), 'admitted'],
    ];
    const debits = asked.map(([one]) => one);
    const together = await admitAll(...debits);
    expect(together.map((one) => (one.outcome === 'refused' ? one.code : one.outcome))).toEqual(
      asked.map(([, wanted]) => wanted),
    );
    for (const [index, one] of debits.entries())
      expect((await mandates.internal<Result>('/debits', one)).body).toEqual(together[index]);
  });

  it('see each other, where they are about one payment or one order', async () => {
    const first = debit();
    const second = debit({ old_id: first.old_id });
    const replacing = debit({ old_id: first.old_id, replaces: [first.payment_id] });
    const other = debit({ payment_id: first.payment_id });
    const neighbour = debit();
    expect(await admitAll(first, second, first, other, replacing, first, neighbour)).toMatchObject([
      { outcome: 'admitted' },
      { code: 'PAYMENT_ALREADY_EXISTS', held_by: first.payment_id },
      { outcome: 'admitted' },
      { code: 'PAYMENT_ALREADY_EXISTS', held_by: first.payment_id },
      { outcome: 'admitted' },
      { code: 'PAYMENT_ALREADY_EXISTS', held_by: first.payment_id },
      { outcome: 'admitted' },
    ]);
    const rows = await stored(first, replacing, neighbour);
    expect(rows.map(({ state }) => state)).toEqual(['failed', 'admitted', 'admitted']);
    // Repeats do not make the debits of others go one by one.
    expect(new Set(rows.map(({ written_by }) => written_by)).size).toBe(1);
  });

  it('of a tenant that names another tenant’s mandate do not hide it from its owner', async () => {
    for (const order of ['before', 'after']) {
      const [own, foreign] = [debit(), debit({ tenant: 'other' })];
      const results = await admitAll(...(order === 'before' ? [own, foreign] : [foreign, own]));
      expect(results.map(({ outcome }) => outcome).sort()).toEqual(['admitted', 'refused']);
      expect(await stored(own, foreign)).toMatchObject([{ payment_id: own.payment_id }]);
    }
  });

  it('are admitted although one of them fails, which is unknown', async () => {
    const [one, faulty, other] = [debit(), debit(), debit()];
    await mandates.rows(
      `INSERT INTO mandate_debits (payment_id, mandate_id, tenant, old_id, amount, debit_date, state, admitted_at)
       VALUES ($1, $2, 'other', 1, 100, '2026-12-21', 'admitted', now())`,
      ...[faulty.payment_id, mandate],
    );
    expect(await outcomes(one, faulty, other)).toEqual(['admitted', 'unknown', 'admitted']);
    expect(await outcomes(one, faulty, other)).toEqual(['admitted', 'unknown', 'admitted']);
  });

  it.each(['mandates.debit.before_commit', 'mandates.debit.committed'] as const)(
    'and stopped at %s, are admitted once when they are requested again',
    async (point) => {
      const debits = [debit(), debit(), debit()];
      const fault = setFaultHandler(point);
      const stopped = admitAll(...debits);
      await fault.reached;
      fault.fail(new Error(`broken off at ${point}`));
      await stopped;
      expect(await outcomes(...debits)).toEqual(['admitted', 'admitted', 'admitted']);
      expect(await stored(...debits)).toHaveLength(debits.length);
      expect(await outcomes(debit({ old_id: debits[0]?.old_id ?? 0 }))).toEqual(['refused']);
    },
  );
});
