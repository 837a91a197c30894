import { SERVICES, type ServiceName } from '@fundrail/contracts';
import { z } from 'zod';
import { ServiceTokens } from '../auth/service-tokens.ts';
import { ServiceClient } from './service-client.ts';

/** What services may call, besides themselves: none, where they are not here. A further call is a decision about who can reach whom. The sandbox's simulator sets every clock. */
const CALLS: Readonly<Partial<Record<ServiceName, readonly ServiceName[]>>> = {
  identity: ['orders', 'payments', 'mandates', 'plans', 'webhooks'],
  orders: ['identity', 'payments', 'plans'],
  payments: ['identity', 'orders', 'mandates', 'plans'],
  mandates: ['identity', 'payments', 'plans'],
  plans: ['identity', 'orders', 'mandates'],
  webhooks: ['identity', 'orders', 'payments', 'mandates', 'plans'],
  simulator: SERVICES.filter((name) => name !== 'simulator'),
};

describe('calls between services', () => {
  it.each(SERVICES)('of %s reach itself and those that it may call, and no other', async (from) => {
    const reached: ServiceName[] = [];
    const transport = {
      request: (service: ServiceName) => {
        reached.push(service);
        return Promise.resolve({ status: 200, body: '{}' });
      },
      close: () => Promise.resolve(),
    };
    const client = new ServiceClient(transport, new ServiceTokens(from, 's'.repeat(32)));
    const call = { method: 'GET', path: '/internal/x', answer: z.strictObject({}) } as const;
    const refused = await Promise.all(SERVICES.map((to) => client.call(to, call).then(() => null, String)));
    expect(SERVICES.filter((to) => reached.includes(to))).toEqual(
      SERVICES.filter((to) => to === from || CALLS[from]?.includes(to)),
    );
    expect(refused.filter((error) => error !== null)).toEqual(
      SERVICES.filter((to) => !reached.includes(to)).map(
        (to) => `Error: ${from} may not call ${to}: TOPOLOGY has no such call`,
      ),
    );
  });
});
