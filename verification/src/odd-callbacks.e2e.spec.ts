import { SERVICES } from '@fundrail/contracts';
import { SIGNATURE_HEADER, signCallback } from '@fundrail/providers';
import { SANDBOX_SECRETS } from '@fundrail/service-kit';
import { describeOpenProducts, type OpenProduct } from './testing/open-products.ts';

const NUL = '\u0000';
const BODIES = {
  orders: { event: 'order.updated', order: {} },
  payments: { event: 'payment.updated', payment: {} },
  mandates: { event: 'mandate.updated', mandate: {} },
  plans: { event: 'plan.updated', plan: {} },
} as const;
type Route = keyof typeof BODIES;
describeOpenProducts('a callback with a right signature', (start) => {
  let product: OpenProduct;
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

  /** The services that have stored an applied callback with such an event id. */
  const storedBy = async (eventId: string) => {
    const holders: string[] = [];
    for (const service of SERVICES)
      for (const table of ['gateway_events', 'provider_events', 'mandate_provider_events']) {
        const [found] = await product.databases.rows(service, 'SELECT to_regclass($1) AS name', [table]);
        if (!found || Object.values(found)[0] === null) continue;
        const text = `SELECT event_id FROM ${table} WHERE event_id LIKE $1`;
        if ((await product.databases.rows(service, text, [eventId])).length > 0) holders.push(service);
      }
    return holders;
  };

  it.each(Object.keys(BODIES) as Route[])(
    'about %s with NUL in a text is a 400, and not stored',
    async (route) => {
      expect(await send(route, { event_id: `refused${NUL}` })).toBe(400);
      expect(await send(route, { event_id: 'refused', reference: `odd${NUL}` })).toBe(400);
      expect(await storedBy('refused%')).toEqual([]);
    },
  );

  it.each(Object.keys(BODIES) as Route[])(
    'about %s with a reference of 900 kB is a 413, and not stored',
    async (route) => {
      expect(await send(route, { event_id: 'refused', reference: 'r'.repeat(900_000) })).toBe(413);
      expect(await storedBy('refused%')).toEqual([]);
    },
  );

  it.each(Object.keys(BODIES) as Route[])('about %s is accepted without them', async (route) => {
    expect(await send(route, { event_id: `taken-${route}` })).toBe(200);
    // Payments stores a callback only about a payment that it has.
    if (route !== 'payments') expect(await storedBy(`taken-${route}`)).toHaveLength(1);
  });
});
