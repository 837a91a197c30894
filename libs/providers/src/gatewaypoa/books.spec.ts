import { Decimal } from '@fundrail/contracts';
import { MockAgent } from 'undici';
import { GatewaypoaPayments } from './gatewaypoa-payments.adapter.ts';

const BASE = 'http://gateway.test';
const [from, to] = [new Date('2026-12-21T00:00:00Z'), new Date('2026-12-22T00:00:00Z')];
const money = { amount_paise: 500_000, currency: 'INR' };
const [first, second] = ['c1', 'c2'].map((provider_reference) => ({ provider_reference, ...money }));

it('the list of captures of gatewaypoa has each capture of a payment that was paid twice (CAP-4)', async () => {
  const agent = new MockAgent();
  agent.disableNetConnect();
  const items = [
    { reference: 'P1', upi_uri: null, status: 'captured', ...first, others: [second] },
    { reference: 'P2', upi_uri: null, status: 'awaiting_payer' },
  ];
  const path = (text: string) => text.startsWith('/gatewaypoa/payments?');
  agent
    .get(BASE)
    .intercept({ method: 'GET', path })
    .reply(200, JSON.stringify({ items, next: null }));
  const options = { baseUrl: BASE, dispatcher: agent, apiKey: 'k', webhookSecret: 'w' };
  const answer = await new GatewaypoaPayments(options).books.captures({ from, to, cursor: null });
  const captured = { reference: 'P1', amount: Decimal.parse('5000'), currency: 'INR' };
  expect(answer).toEqual({
    kind: 'yes',
    value: {
      next: null,
      entries: [
        { ...captured, provider_reference: 'c1' },
        { ...captured, provider_reference: 'c2' },
      ],
    },
  });
  await agent.close();
});
