import { routeFor, ROUTING_TABLE } from './routing-table.ts';
import { SERVICES } from './topology.ts';

describe('routeFor', () => {
  it.each([
    ['/v2/auth/demo/token', 'identity'],
    ['/.well-known/jwks.json', 'identity'],
    ['/v2/investor_profiles', 'identity'],
    ['/v2/bank_accounts/bac_1', 'identity'],
    ['/v2/mf_investment_accounts', 'identity'],
    ['/v2/tenant', 'identity'],
    ['/v2/policies/upi_collect', 'identity'],
    ['/admin/tenants', 'identity'],
    ['/v2/mf_purchases', 'orders'],
    ['/v2/phone_numbers', 'identity'],
    ['/v2/related_parties/relp_1', 'identity'],
    ['/v2/mf_folios', 'orders'],
    ['/v2/mf_purchases/mfp_1/retry', 'orders'],
    ['/v2/mf_purchases/batch', 'orders'],
    ['/v2/mf_purchases/mfp_1/cancel', 'orders'],
    ['/v2/mf_redemptions/mfrd_1/cancel', 'orders'],
    ['/callbacks/gatewaypoa/orders', 'orders'],
    ['/api/pg/payments/netbanking', 'payments'],
    ['/api/pg/payments/5011', 'payments'],
    ['/callbacks/gatewaypoa/payments', 'payments'],
    ['/callbacks/sdkvendor', 'payments'],
    ['/api/pg/mandates', 'mandates'],
    ['/api/pg/mandates/7001/cancel', 'mandates'],
    ['/callbacks/gatewaypoa/mandates', 'mandates'],
    ['/v2/mf_redemption_plans', 'plans'],
    ['/v2/mf_redemption_plans/mfr_1/skip_instructions', 'plans'],
    ['/callbacks/gatewaypoa/plans', 'plans'],
    ['/admin/holidays', 'plans'],
    ['/admin/payments/5011/trace', 'payments'],
    ['/v2/notification_webhooks', 'webhooks'],
    ['/v2/events/evt_1', 'webhooks'],
    ['/webhooks', 'webhooks'],
    ['/webhooks/deliveries/whd_1', 'webhooks'],
  ])('sends %s to %s, in the sandbox and outside (GATE-6)', (path, service) => {
    expect([routeFor(path, true), routeFor(path, false)]).toEqual([service, service]);
  });

  it.each([
    '/api/pg/simulate/payments/5011',
    '/api/oms/simulate/orders/1',
    '/sandbox/clock',
    '/gatewaypoa/orders',
    '/sdkvendor/v1/orders',
  ])('sends %s to the simulator, only in the sandbox', (path) => {
    expect([routeFor(path, true), routeFor(path, false)]).toEqual(['simulator', null]);
  });

  it.each([
    '/internal/claims',
    '/internal/sandbox/clock',
    '/health/ready',
    '/metrics',
    '/',
    '/v2',
    '/v2/mf_purchasesx',
    '/v2/mf_purchase',
    '/V2/mf_purchases',
    '/sandboxes',
  ])('routes %s nowhere', (path) => {
    expect(routeFor(path, true)).toBeNull();
  });
});

describe('the table', () => {
  it('names each prefix once', () => {
    const prefixes = ROUTING_TABLE.map(({ prefix }) => prefix);

    expect(new Set(prefixes).size).toBe(prefixes.length);
  });

  it('has a row for every service, and none for internal paths', () => {
    expect(new Set(ROUTING_TABLE.map(({ service }) => service))).toEqual(new Set(SERVICES));
    expect(ROUTING_TABLE.filter(({ prefix }) => prefix.startsWith('/internal'))).toEqual([]);
  });
});
