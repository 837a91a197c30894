import type { PermitOfMany } from '@fundrail/contracts';
import { MandatesUnderTest } from '../testing/mandates-under-test.ts';

/** Permits of one request (decision 0013), at two instances. */
describe('a batch of permits', () => {
  let mandates: MandatesUnderTest;
  beforeAll(async () => {
    mandates = await MandatesUnderTest.start(2);
  });
  afterAll(() => mandates.stop());

  interface Admitted {
    readonly mandate_id: number;
    readonly payment_id: number;
  }
  const admitted = async (): Promise<Admitted> => {
    const mandate_id = await mandates.createApproved();
    const payment_id = 20_000 + mandate_id;
    await mandates.admit(mandate_id, { payment_id });
    return { mandate_id, payment_id };
  };
  const permits = async (
    asked: readonly Admitted[],
    changes: object = {},
    at = 0,
  ): Promise<PermitOfMany[]> => {
    const call = { tenant: 'demo', step: 'execute', attempt: 1, execute_on: '2026-12-22', ...changes };
    const body = { permits: asked.map((one) => ({ ...call, ...one })) };
    return (await mandates.internal<{ results: PermitOfMany[] }>('/permits/batch', body, at)).body.results;
  };
  const open = (of: readonly Admitted[]) =>
    mandates.rows<{ payment_id: number }>(
      'SELECT payment_id FROM mandate_permits WHERE payment_id = ANY ($1) AND closed_at IS NULL ORDER BY payment_id',
      of.map(({ payment_id }) => payment_id),
    );

  it('decides each one separately, in the order of the request, and writes the granted ones', async () => {
    const [good, cancelled, other] = [await admitted(), await admitted(), await admitted()];
    await mandates.cancel(cancelled.mandate_id);
    const wrong = { mandate_id: good.mandate_id, payment_id: other.payment_id };
    const unknown = { mandate_id: 1, payment_id: 2 };
    expect(await permits([other, cancelled, unknown, good])).toEqual([
      { payment_id: other.payment_id, outcome: 'granted' },
      { payment_id: cancelled.payment_id, outcome: 'refused', code: 'mandate_cancelled' },
      { payment_id: 2, outcome: 'refused', code: 'mandate_cancelled' },
      { payment_id: good.payment_id, outcome: 'granted' },
    ]);
    expect(await permits([wrong])).toMatchObject([{ outcome: 'refused' }]);
    expect(await permits([good], { tenant: 'other' })).toMatchObject([{ outcome: 'refused' }]);
    expect(await open([good, cancelled, other])).toEqual([
      { payment_id: good.payment_id },
      { payment_id: other.payment_id },
    ]);
  });

  it('a cancel and a batch: granted and listed as in flight, or refused and not listed', async () => {
    for (let round = 0; round < 8; round += 1) {
      const all = [await admitted(), await admitted(), await admitted()];
      const [, middle] = all;
      const [cancelled, results] = await Promise.all([
        mandates.cancel(middle?.mandate_id ?? 0, { at: round % 2 }),
        permits(all, {}, (round + 1) % 2),
      ]);
      expect([results[0]?.outcome, results[2]?.outcome]).toEqual(['granted', 'granted']);
      expect(cancelled.body.debits_in_flight).toEqual(
        results[1]?.outcome === 'granted' ? [middle?.payment_id] : [],
      );
    }
  });

  it('two batches over the same mandates in different orders: both are answered, without a deadlock', async () => {
    for (let round = 0; round < 8; round += 1) {
      const all = [await admitted(), await admitted(), await admitted(), await admitted()];
      const [one, other] = await Promise.all([permits(all, {}, 0), permits(all.toReversed(), {}, 1)]);
      expect([...one, ...other].every(({ outcome }) => outcome === 'granted')).toBe(true);
      expect(await open(all)).toHaveLength(4);
    }
  });
});
