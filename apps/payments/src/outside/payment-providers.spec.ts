import { GatewaypoaPayments, type BuiltProvider } from '@fundrail/providers';
import { ThirdpayPayments } from '@fundrail/providers/testing';
import { PaymentProviders } from './payment-providers.ts';

const NO_SERVER = 'http://127.0.0.1:9';

// As docs/adding-a-provider.md describes it: a folder (libs/providers/src/testing/thirdpay) and one line.
describe('an additional payment provider', () => {
  const gatewaypoa = new GatewaypoaPayments({ baseUrl: NO_SERVER, apiKey: 'k', webhookSecret: 'w' });
  const added: readonly BuiltProvider[] = [new ThirdpayPayments({ baseUrl: NO_SERVER, secret: 's' })];
  const providers = new PaymentProviders([gatewaypoa, ...added], gatewaypoa);
  afterAll(() => Promise.all([gatewaypoa, ...added].map((provider) => provider.close())));

  it('given its line, when a payment names it, then it is used, and the order gateway still does the transfers', () => {
    expect(providers.of('SDKVENDOR')).toBe(added[0]);
    expect(providers.of('GATEWAYPOA')).toBe(gatewaypoa);
    expect(providers.transfers).toBe(gatewaypoa);
  });

  it('given no line, when a payment names it, then there is no such provider', () => {
    const alone = new PaymentProviders([gatewaypoa], gatewaypoa);
    expect(alone.has('SDKVENDOR')).toBe(false);
    expect(() => alone.of('SDKVENDOR')).toThrow('SDKVENDOR');
  });
});
