import { paymentReference } from '@fundrail/providers';
import type { PaymentCallback } from '@fundrail/providers';
import { capturedAs } from '../testing/payments.builder.ts';
import { PaymentsStage } from '../testing/start-payments.ts';

type Fact = NonNullable<PaymentCallback['fact']>;
const PAID: Fact = { about: 'payment', payment: capturedAs('c1', '5000') };
const AUTHORISED: Fact = {
  about: 'authorisation',
  authorisation: {
    ...{ status: 'approved', provider_reference: 'r', mandate_token: 't', provider_id: null, umrn: null },
  },
};
const DEBITED: Fact = { about: 'debit', attempt_reference: 'x', payment: capturedAs('c1', '5000') };

describe('a callback whose fact does not fit the type of the payment', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  const made = {
    NETBANKING: () => stage.payable(),
    NACH: async () => {
      const { mandates } = stage.neighbours;
      const answer = await stage.debit(mandates.anApproved().id, stage.neighbours.anOrder());
      const { id } = answer.json<{ id: number }>();
      await stage.debitBecomes(id, 'mandate_debit.submitted');
      return id;
    },
    AUTH_TRANSACTION: async () => {
      const { id } = (await stage.authorise(stage.neighbours.mandates.aMandate().id)).json<{
        id: number;
      }>();
      return id;
    },
  };

  it.each([
    ['NETBANKING', AUTHORISED],
    ['NETBANKING', DEBITED],
    ['NACH', PAID],
    ['NACH', AUTHORISED],
    ['AUTH_TRANSACTION', PAID],
    ['AUTH_TRANSACTION', DEBITED],
    ['AUTH_TRANSACTION', { about: 'transfer', transfer: { status: 'settled' } }],
  ] as const)('%s: changes nothing, and is counted', async (type, fact) => {
    const id = await made[type]();
    const before = await stage.get(id);
    expect((await stage.report({ reference: paymentReference(id), fact })).status).toBe(200);
    const after = await stage.get(id);
    expect([after.status, after.refunds, after.late_auth]).toEqual([before.status, [], false]);
    expect(await stage.rows('SELECT * FROM captures')).toEqual([]);
    expect(await stage.rows('SELECT ignored_because FROM provider_events')).toEqual([
      { ignored_because: `${fact.about} of ${type}` },
    ]);
  });

  it('has its effect when the fact fits', async () => {
    const id = await made.NETBANKING();
    await stage.report({ reference: paymentReference(id), fact: PAID });
    await stage.until(id, ({ status }) => status === 'SUCCESS' || status === 'INITIATED');
    expect(await stage.rows('SELECT ignored_because FROM provider_events')).toEqual([
      { ignored_because: null },
    ]);
  });
});
