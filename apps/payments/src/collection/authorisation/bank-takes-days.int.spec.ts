import { authorisationFact, eventData, parseJson, type AuthorisationFact } from '@fundrail/contracts';
import { waitFor } from '@fundrail/testing';
import { NOT_FOUND, SILENCE } from '../../testing/fake-provider.ts';
import { PaymentsStage } from '../../testing/start-payments.ts';

const DAY_MS = 86_400_000;
const NAMES = { mandate_token: 'token_1', provider_id: null, umrn: null } as const;
const SUBMITTED = { kind: 'yes', value: { status: 'submitted', ...NAMES } } as const;
const APPROVED = { kind: 'yes', value: { status: 'approved', provider_reference: 'r', ...NAMES } } as const;

describe('an authorisation that takes the bank days (MAN-19)', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  const facts = async (id: number): Promise<AuthorisationFact[]> =>
    (await stage.eventRows(id))
      .filter(({ type }) => type === 'payment.mandate_fact')
      .map(({ data }) => eventData(authorisationFact).parse(parseJson(data)).object);
  const asked = async (changes: object = {}): Promise<number> => {
    const mandate = stage.neighbours.mandates.aMandate();
    return (await stage.authorise(mandate.id, changes)).json<{ id: number }>().id;
  };
  const bank = () => stage.provider.mandates;
  const report = (id: number, authorisation: (typeof SUBMITTED)['value']) =>
    stage.report({
      reference: `P${String(id).padStart(12, '0')}`,
      fact: { about: 'authorisation', authorisation },
    });

  it('given a collect request whose answer was lost, when the bank has it, then the provider is asked until the bank confirms', async () => {
    bank().onCollect.set(SILENCE);
    bank().onAuthorisationStatus.set(SILENCE);
    const id = await asked({ upi: { type: 'collect', vpa: 'a@upi' } });
    await waitFor(() => bank().collectedFrom.length === 1);
    await stage.rows("DELETE FROM due_work WHERE kind IN ('payment.status', 'authorisation.collect')");
    await report(id, SUBMITTED.value);
    expect(await stage.get(id)).toMatchObject({ status: 'SUBMITTED' });
    bank().onAuthorisationStatus.set(APPROVED);
    await stage.pass(90_000);
    await stage.until(id, ({ status }) => status === 'SUCCESS');
  });

  it('given it had FAILED before the bank had it, then the provider is asked for a month, not for three days', async () => {
    const id = await asked();
    bank().onCancel.set({ kind: 'no', failure_code: 'already_authorised', message: 'x' });
    bank().onAuthorisationStatus.set(NOT_FOUND);
    await stage.rows(
      `WITH closed AS (UPDATE upi_requests SET state = 'closed' WHERE payment_id = $1)
       UPDATE payments SET status = 'FAILED', failed_at = $2, failure_code = 'payment_expired' WHERE id = $1`,
      id,
      stage.clock.now(),
    );
    bank().onAuthorisationStatus.set(SUBMITTED);
    for (let days = 0; days < 6; days += 1) await stage.pass(DAY_MS);
    await stage.pass(0);
    // One unanswered call does not end the status calls.
    bank().onAuthorisationStatus.set(SILENCE);
    await stage.pass(DAY_MS);
    await stage.pass(0);
    bank().onAuthorisationStatus.set(APPROVED);
    await stage.pass(DAY_MS);
    await stage.until(id, ({ late_auth }) => late_auth);
    expect((await facts(id)).at(-1)).toMatchObject({ status: 'approved' });
  });

  it('given the provider refuses the status call, then the payment fails, and mandates receives the rejection', async () => {
    const id = await asked();
    await report(id, SUBMITTED.value);
    bank().onAuthorisationStatus.set({ kind: 'no', failure_code: 'investor_bank_declined', message: 'x' });
    await stage.pass(90_000);
    expect(await stage.until(id, ({ status }) => status === 'FAILED')).toMatchObject({
      failure_code: 'investor_bank_declined',
    });
    expect((await facts(id)).map(({ status }) => status)).toEqual(['submitted', 'rejected']);
  });

  it('publishes the event for mandates before the events for clients', async () => {
    const id = await asked();
    await report(id, SUBMITTED.value);
    bank().onAuthorisationStatus.set(APPROVED);
    await stage.pass(90_000);
    await stage.until(id, ({ status }) => status === 'SUCCESS');
    const published = (await stage.events(id)).filter(
      (type) => type !== 'payment.updated' && type !== 'payment.pending',
    );
    expect(published).toEqual([
      ...['payment.mandate_fact', 'payment.submitted'],
      ...['payment.mandate_fact', 'payment.success'],
    ]);
  });
});
