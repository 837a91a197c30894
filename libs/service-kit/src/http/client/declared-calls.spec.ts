import { SERVICES, type ServiceName } from '@fundrail/contracts';
import { withDeclaredCalls } from './declared-calls.ts';

const REQUEST = { method: 'GET', path: '/x', headers: {}, timeoutMs: 1, isRepeatable: true } as const;

/** What each service may call, besides itself. A further call is a decision: for CALL-6, and for who can reach whom. */
const CALLS: Readonly<Record<ServiceName, readonly ServiceName[]>> = {
  identity: [],
  orders: ['identity', 'payments', 'swp'],
  payments: ['identity', 'orders', 'mandates', 'swp'],
  mandates: ['identity', 'payments'],
  swp: ['identity', 'orders', 'mandates'],
  webhooks: ['identity', 'orders', 'payments', 'mandates', 'swp'],
  simulator: ['identity', 'orders', 'payments', 'mandates', 'swp', 'webhooks'],
};

describe('calls between services', () => {
  it.each(SERVICES)('of %s reach itself and those that it declares, and no other', async (from) => {
    const reached: ServiceName[] = [];
    const transport = withDeclaredCalls(from, {
      request: (service) => {
        reached.push(service);
        return Promise.resolve({ status: 200, body: '{}' });
      },
      close: () => Promise.resolve(),
    });
    const refused = await Promise.all(
      SERVICES.map((to) => transport.request(to, REQUEST).then(() => null, String)),
    );
    expect(reached).toEqual(SERVICES.filter((to) => to === from || CALLS[from].includes(to)));
    expect(refused.filter((error) => error !== null)).toEqual(
      SERVICES.filter((to) => !reached.includes(to)).map(
        (to) => `Error: ${from} may not call ${to}: TOPOLOGY has no such call`,
      ),
    );
  });
});
