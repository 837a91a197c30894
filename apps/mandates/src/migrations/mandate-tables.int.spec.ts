import { mandateMachine } from '@fundrail/state-machines';
import { MandatesUnderTest } from '../testing/mandates-under-test.ts';

describe('the tables of mandates', () => {
  let mandates: MandatesUnderTest;
  beforeAll(async () => {
    mandates = await MandatesUnderTest.start();
  });
  afterAll(() => mandates.stop());

  it('allow exactly the states of the machine (DATA-4)', async () => {
    const [check] = await mandates.rows<{ text: string }>(
      `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = 'mandates_status'`,
    );
    const allowed = [...(check?.text.matchAll(/'(\w+)'/g) ?? [])].map((match) => match[1]);
    expect(allowed.sort()).toEqual([...mandateMachine.states].sort());
  });

  it.each([
    ['an unknown state', `mandate_status = 'LOST'`, 'mandates_status'],
    [
      'an approval without a token',
      `mandate_status = 'APPROVED', approved_at = now()`,
      'mandates_approved_is_known',
    ],
    ['an end before the beginning', `valid_to = valid_from - 1`, 'mandates_validity'],
    ['a limit of nothing', 'mandate_limit = 0', 'mandates_mandate_limit_check'],
    ['a claim without its time', 'authorising_payment = 1', 'mandates_authorising_is_whole'],
    [
      'a doubt about a mandate that is not approved',
      'doubted_at = now()',
      'mandates_only_approved_is_doubted',
    ],
    ['a check of no claim', 'authorising_check_at = now()', 'mandates_only_claims_are_checked'],
  ])('refuse %s', async (_what, change, constraint) => {
    const id = await mandates.create();
    const update = mandates.rows(`UPDATE mandates SET ${change} WHERE id = $1`, id);
    await expect(update).rejects.toMatchObject({ constraint });
  });

  it('refuse a second mandate under a source_ref_id or a provider’s token (DATA-4)', async () => {
    const [first, second] = [await mandates.createApproved({ source_ref_id: 's' }), await mandates.create()];
    for (const [change, constraint] of [
      [`source_ref_id = 's'`, 'mandates_source_ref'],
      [`mandate_token = 'tok_${first}'`, 'mandates_token'],
    ] as const)
      await expect(
        mandates.rows(`UPDATE mandates SET ${change} WHERE id = $1`, second),
      ).rejects.toMatchObject({ constraint });
  });

  it('refuse a second live debit of an order, a permit without an admitted debit, and an end with an open permit', async () => {
    const id = await mandates.createApproved();
    const payment = 20_000 + id;
    await mandates.admit(id, { payment_id: payment });
    await mandates.admit(id, { payment_id: payment + 1, old_id: 502 });
    await expect(
      mandates.rows('UPDATE mandate_debits SET old_id = 501 WHERE payment_id = $1', payment + 1),
    ).rejects.toMatchObject({ constraint: 'mandate_debits_one_live' });
    await mandates.permit(id, payment);
    const end = `UPDATE mandate_debits SET state = 'failed', ended_at = now(), check_at = NULL WHERE payment_id = $1`;
    await expect(mandates.rows(end, payment)).rejects.toMatchObject({
      constraint: 'mandate_permits_admitted',
    });
    await mandates.rows(end, payment + 1);
    const grant = `INSERT INTO mandate_permits (payment_id, step, attempt, mandate_id, tenant, granted_at)
      VALUES ($1, 'execute', 1, $2, 'demo', now())`;
    await expect(mandates.rows(grant, payment + 1, id)).rejects.toMatchObject({
      constraint: 'mandate_permits_admitted',
    });
    await expect(mandates.rows(grant, 99_999, id)).rejects.toMatchObject({
      constraint: 'mandate_permits_payment_id_fkey',
    });
  });
});
