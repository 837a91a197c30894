import { SIGNATURE_HEADER, signCallback } from '@fundrail/providers';
import { SANDBOX_SECRETS } from '@fundrail/service-kit';
import { describeStandalone, type Product } from './testing/products.ts';

const NUL = '\u0000';
const BODIES = {
  orders: { event: 'order.updated', order: {} },
  payments: { event: 'payment.updated', payment: {} },
  mandates: { event: 'mandate.updated', mandate: {} },
  plans: { event: 'plan.updated', plan: {} },
} as const;
type Route = keyof typeof BODIES;

describeStandalone('a callback with a right signature', (start) => {
  let product: Product;
  beforeAll(async () => {
    product = await start();
  });
  afterAll(() => product.stop());

  const send = async (route: Route, over: object) => {
    const body = JSON.stringify({ ...BODIES[route], event_id: 'odd', reference: 'odd', ...over });
    const signature = signCallback(SANDBOX_SECRETS.GATEWAYPOA_WEBHOOK_SECRET, body, new Date());
    const answer = await fetch(`${product.url}/callbacks/gatewaypoa/${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature },
      body,
    });
    return answer.status;
  };

  it.each(Object.keys(BODIES) as Route[])('about %s with NUL in a text is a 400', async (route) => {
    expect(await send(route, { event_id: `odd${NUL}` })).toBe(400);
    expect(await send(route, { reference: `odd${NUL}` })).toBe(400);
  });

  it.each(Object.keys(BODIES) as Route[])('about %s with a reference of 900 kB is a 413', async (route) => {
    expect(await send(route, { reference: 'r'.repeat(900_000) })).toBe(413);
  });

  it.each(Object.keys(BODIES) as Route[])('about %s is accepted without them', async (route) => {
    expect(await send(route, {})).toBe(200);
  });
});
