import { GatewaypoaPayments } from '@fundrail/providers';
import { ThirdpayPayments } from '@fundrail/providers/testing';
import type { BuiltProvider } from './built-providers.ts';
import { PaymentProviders } from './payment-providers.ts';

const NOBODY = 'http://127.0.0.1:9';

// docs/adding-a-provider.md: the folder is libs/providers/src/testing/thirdpay, and this is its line.
describe('a further payment provider', () => {
  const gatewaypoa = new GatewaypoaPayments({ baseUrl: NOBODY, apiKey: 'k', webhookSecret: 'w' });
  const further: readonly BuiltProvider[] = [new ThirdpayPayments({ baseUrl: NOBODY, secret: 's' })];
  const providers = new PaymentProviders([gatewaypoa, ...further], gatewaypoa);
  afterAll(() => Promise.all([gatewaypoa, ...further].map((provider) => provider.close())));

  it('given its line, when a payment names it, then it is asked, and the transfers stay with the order gateway', () => {
    expect(providers.of('SDKVENDOR')).toBe(further[0]);
    expect(providers.of('GATEWAYPOA')).toBe(gatewaypoa);
    expect(providers.transfers).toBe(gatewaypoa);
  });

  it('given no line, when a payment names it, then there is no such provider', () => {
    const alone = new PaymentProviders([gatewaypoa], gatewaypoa);
    expect(alone.has('SDKVENDOR')).toBe(false);
    expect(() => alone.of('SDKVENDOR')).toThrow('SDKVENDOR');
  });
});
