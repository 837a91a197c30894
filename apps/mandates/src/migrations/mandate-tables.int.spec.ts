import { debitAttemptMachine, mandateDebitMachine, mandateMachine } from '@fundrail/state-machines';
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

  it('allow exactly the states of the machines of debits (DEB-19, DEB-20)', async () => {
    for (const [name, machine] of [
      ['mandate_debits_state', mandateDebitMachine],
      ['debit_attempts_state', debitAttemptMachine],
    ] as const) {
      const [check] = await mandates.rows<{ text: string }>(
        'SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = $1',
        name,
      );
      const allowed = [...(check?.text.matchAll(/'(\w+)'/g) ?? [])].map((match) => match[1]);
      expect(allowed.sort()).toEqual([...machine.states].sort());
    }
  });

  it('refuse a second live debit of an order', async () => {
    const id = await mandates.createApproved();
    const payment = 20_000 + id;
    await mandates.admit(id, { payment_id: payment });
    await mandates.admit(id, { payment_id: payment + 1, old_id: 502 });
    await expect(
      mandates.rows('UPDATE mandate_debits SET old_id = 501 WHERE payment_id = $1', payment + 1),
    ).rejects.toMatchObject({ constraint: 'mandate_debits_one_holder' });
  });

  it.each([
    ['a plan without its time', `state = 'planned'`, 'mandate_debits_started_has_a_time'],
    [
      'a notice that was not begun',
      `state = 'notifying', execute_at = now()`,
      'mandate_debits_notifying_has_begun',
    ],
    ['a notice without its proof', 'notified_at = now()', 'mandate_debits_notice_is_proved'],
    ['an end without its time', `state = 'failed'`, 'mandate_debits_ended'],
    [
      'a plan of a stopped debit',
      `state = 'planned', execute_at = now(), stop_code = 'payment_failed', check_at = NULL`,
      'mandate_debits_stopped_attempt',
    ],
  ])('refuse %s of a debit', async (_what, change, constraint) => {
    const id = await mandates.createApproved();
    await mandates.admit(id, { payment_id: 30_000 + id });
    const clear = change.includes('check_at') ? change : `${change}, check_at = NULL`;
    const update = mandates.rows(`UPDATE mandate_debits SET ${clear} WHERE mandate_id = $1`, id);
    await expect(update).rejects.toMatchObject({ constraint });
  });

  it('refuse a second open attempt, and an end without its reason', async () => {
    const id = await mandates.createApproved({ mandate_type: 'E_MANDATE' });
    const payment = 40_000 + id;
    await mandates.due(id, payment);
    await mandates.execute(payment);
    await mandates.settled();
    const second = `INSERT INTO debit_attempts (payment_id, number, tenant, reference, state, started_at, called_at)
      VALUES ($1, 2, 'demo', 'x', 'begun', now(), now())`;
    await expect(mandates.rows(second, payment)).rejects.toMatchObject({
      constraint: 'debit_attempts_one_open',
    });
    const end = `UPDATE debit_attempts SET state = 'failed', ended_at = now() WHERE payment_id = $1`;
    await expect(mandates.rows(end, payment)).rejects.toMatchObject({
      constraint: 'debit_attempts_failed_has_a_code',
    });
  });
});
