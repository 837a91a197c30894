import type { Queryable } from '@fundrail/persistence';
import type { ServiceClient } from '../http/client/service-client.ts';
import { eventChecks } from './event.checks.ts';

it('names the checks of events as the releases before have stored them', () => {
  const unused = {} as Queryable & ServiceClient;
  const checks = eventChecks('orders', ['payment.rejected', 'mf_redemption_plan.created'], unused, unused);
  expect(checks.map(({ name }) => name)).toEqual(['events of payments', 'events of swp', 'outbox']);
});
