import { GatewaypoaPayments } from '@fundrail/providers';
import { thirdpay } from '@fundrail/providers/testing';
import { PaymentProviders } from './payment-providers.ts';

const NO_SERVER = 'http://127.0.0.1:9';

// As docs/adding-a-provider.md describes it: its folder is libs/providers/src/testing/thirdpay, and here it is built under a name.
describe('an additional payment provider', () => {
  const gatewaypoa = new GatewaypoaPayments({ baseUrl: NO_SERVER, apiKey: 'k', webhookSecret: 'w' });
  const env = { SANDBOX: 'true', PUBLIC_BASE_URL: NO_SERVER, THIRDPAY_BASE_URL: NO_SERVER };
  const added = thirdpay.build({ ...env, THIRDPAY_WEBHOOK_SECRET: 's' }, { name: 'SDKVENDOR' });
  const providers = new PaymentProviders([gatewaypoa, added], gatewaypoa);
  afterAll(() => providers.onApplicationShutdown());

  it('given its line, when a payment names it, then it is used, and the order gateway still does the transfers', () => {
    expect(providers.of('SDKVENDOR')).toBe(added);
    expect(providers.of('GATEWAYPOA')).toBe(gatewaypoa);
    expect(providers.transfers).toBe(gatewaypoa);
  });

  it('given no line, when a payment names it, then there is no such provider', () => {
    const alone = new PaymentProviders([gatewaypoa], gatewaypoa);
    expect(alone.has('SDKVENDOR')).toBe(false);
    expect(() => alone.of('SDKVENDOR')).toThrow('SDKVENDOR');
  });
});
