import { PaymentsStage } from '../../testing/start-payments.ts';

describe('POST /api/pg/payments/emandate/auth refuses', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  it.each([
    ['an unknown mandate', () => 9_999, {}, 'mandate_id'],
    [
      "another tenant's mandate",
      () => stage.neighbours.mandates.aMandate({ tenant: 'other' }).id,
      {},
      'mandate_id',
    ],
    [
      'UPI for an e-mandate',
      () => stage.neighbours.mandates.aMandate({ mandate_type: 'E_MANDATE' }).id,
      {},
      'upi',
    ],
    [
      'a bad VPA',
      () => stage.neighbours.mandates.aMandate().id,
      { upi: { type: 'collect', vpa: 'x' } },
      'upi.vpa',
    ],
    ['an unknown field', () => stage.neighbours.mandates.aMandate().id, { amount: 1 }, 'amount'],
  ])('%s with 400 that names the field', async (_, id, changes, field) => {
    const answer = await stage.authorise(id(), changes);
    expect(answer.status).toBe(400);
    expect(answer.json<{ error: { errors: { field: string }[] } }>().error.errors[0]?.field).toBe(field);
  });

  it('a second authorisation while one is running with 409, and all but one of 20 concurrent ones', async () => {
    const mandate = stage.neighbours.mandates.aMandate();
    const answers = await Promise.all(Array.from({ length: 20 }, () => stage.authorise(mandate.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.json<{ error: { code: string } }>().error.code).toBe('AUTH_IN_PROGRESS');
  });

  it('an approved mandate with 409 ILLEGAL_TRANSITION', async () => {
    const answer = await stage.authorise(stage.neighbours.mandates.anApproved().id);
    expect([answer.status, answer.json<{ error: { code: string } }>().error.code]).toEqual([
      409,
      'ILLEGAL_TRANSITION',
    ]);
  });
});
