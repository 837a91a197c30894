import { SANDBOX_SECRETS } from '@fundrail/service-kit';
import { paymentsConfig } from './config.ts';

const read = (seconds?: string) =>
  paymentsConfig.useFactory({
    ...SANDBOX_SECRETS,
    SANDBOX: 'true',
    GATEWAYPOA_BASE_URL: 'http://127.0.0.1:1',
    SDKVENDOR_BASE_URL: 'http://127.0.0.1:1',
    ...(seconds !== undefined && { UPI_STATUS_FIRST_SECONDS: seconds }),
  }).times.firstStatusSeconds;

describe('UPI_STATUS_FIRST_SECONDS of payments (POL-5)', () => {
  it('is that of the policy by default, and may be less, down to 45', () => {
    expect([read(), read('90'), read('45')]).toEqual([90, 90, 45]);
  });

  it.each(['44.9', '90.1', 'soon'])('is refused as %s', (seconds) => {
    expect(() => read(seconds)).toThrow('UPI_STATUS_FIRST_SECONDS');
  });
});
