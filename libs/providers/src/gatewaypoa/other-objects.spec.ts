import { Decimal } from '@fundrail/contracts';
import { MockAgent } from 'undici';
import type { ProviderDebit, ProviderMandate } from '../mandate-ports.ts';
import { GatewaypoaOrders } from './gatewaypoa-orders.adapter.ts';
import { GatewaypoaPayments } from './gatewaypoa-payments.adapter.ts';
import { GatewaypoaPlans } from './gatewaypoa-plans.adapter.ts';

const BASE = 'http://gateway.test';
const mandate: ProviderMandate = {
  ...{ mandate_type: 'UPI', mandate_token: 'gpm_1', provider_id: null, umrn: null },
};
const debit: ProviderDebit = {
  ...{ reference: 'P1A1', payment_reference: 'P1', payment_id: 1, tenant: 'demo', attempt: 1, mandate },
  ...{ amount: Decimal.parse('1001.5'), execute_at: new Date('2026-12-22T10:00:00+05:30') },
  ...{ notice_number: 1, notice_reference: 'gpn_1', contact: { email: null, mobile: null } },
};
const captured = {
  ...{ upi_uri: null, status: 'captured', provider_reference: 'c1', amount_paise: 100, currency: 'INR' },
};
const order = {
  ...{ review: { status: 'passed' }, submission: { status: 'accepted', order_reference: 'o1' } },
  outcome: { status: 'processing' },
};
const plan = { review: { status: 'passed' }, registration: { status: 'none' } };
const settled = { status: 'settled' };
const processed = { status: 'processed' };
const debited = { status: 'captured', provider_reference: 'c1', amount_paise: 100, currency: 'INR' };

type Adapters = ReturnType<typeof adaptersOver>;
function adaptersOver(dispatcher: MockAgent) {
  const options = { baseUrl: BASE, dispatcher, apiKey: 'k', webhookSecret: 'w' };
  return {
    payments: new GatewaypoaPayments(options),
    orders: new GatewaypoaOrders(options),
    plans: new GatewaypoaPlans(options),
  };
}

/** Each question about an object: its path, the body of the answer, and the names that the answer must have. */
const QUESTIONS: readonly (readonly [
  path: string,
  body: object,
  names: Readonly<Record<string, string>>,
  ask: (adapters: Adapters) => Promise<{ readonly kind: string }>,
])[] = [
  ['/payments/P1', captured, { reference: 'P1' }, ({ payments }) => payments.paymentStatus('P1')],
  ['/transfers/T1', settled, { reference: 'T1' }, ({ payments }) => payments.transferStatus('T1')],
  [
    '/refunds/R1',
    processed,
    { reference: 'R1' },
    ({ payments }) =>
      payments.refundStatus({ reference: 'R1', payment_reference: 'P1', amount: Decimal.parse('1') }),
  ],
  ['/orders/mfp_1', order, { reference: 'mfp_1' }, ({ orders }) => orders.status('mfp_1')],
  ['/plans/mfrp_1', plan, { reference: 'mfrp_1' }, ({ plans }) => plans.status('mfrp_1')],
  [
    '/mandates/authorisations/P1',
    { upi_uri: null, status: 'awaiting_payer' },
    { reference: 'P1' },
    ({ payments }) => payments.mandates.authorisationStatus('P1'),
  ],
  [
    '/mandates/gpm_1',
    { status: 'active' },
    { mandate_token: 'gpm_1' },
    ({ payments }) => payments.mandates.mandateStatus(mandate),
  ],
  [
    '/debits/P1A1',
    debited,
    { reference: 'P1A1', payment_reference: 'P1' },
    ({ payments }) => payments.mandates.debitStatus(debit),
  ],
];

describe('an answer of gatewaypoa', () => {
  let agent: MockAgent;
  beforeEach(() => {
    agent = new MockAgent();
    agent.disableNetConnect();
  });
  afterEach(() => agent.close());
  const says = (path: string, body: object) =>
    agent
      .get(BASE)
      .intercept({ method: 'GET', path: `/gatewaypoa${path}` })
      .reply(200, JSON.stringify(body));

  it.each(QUESTIONS)('about %s is understood', async (path, body, names, ask) => {
    says(path, { ...body, ...names });
    expect(await ask(adaptersOver(agent))).toMatchObject({ kind: 'yes' });
  });

  it.each(
    QUESTIONS.flatMap((question) => Object.keys(question[2]).map((name) => [...question, name] as const)),
  )('about %s that names another object is not understood', async (path, body, names, ask, name) => {
    says(path, { ...body, ...names, [name]: 'another' });
    expect(await ask(adaptersOver(agent))).toMatchObject({ kind: 'unknown', why: 'not_understood' });
  });
});
