import { upiQuestionAllowedFrom, usePolicies } from '@fundrail/policies';
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

/** After how many seconds a payment that starts then is asked about first. */
const firstAfter = (start: Date, seconds?: string) =>
  (upiQuestionAllowedFrom({ start, firstSeconds: read(seconds) }, start).getTime() - start.getTime()) / 1000;

describe('UPI_STATUS_FIRST_SECONDS of payments (POL-5)', () => {
  it('is that of the policy by default, and may be less, down to 45', () => {
    const start = new Date('2026-12-21T10:00:00.000+05:30');
    expect([firstAfter(start), read('90'), read('45')]).toEqual([90, 90, 45]);
  });

  it('keeps to an override until that expires, and to the law from the next day on, without a restart', () => {
    usePolicies([
      {
        ...{ policy: 'upi_status_enquiry', version: '2025-04-26', expires_on: '2099-12-31' },
        parameters: { first_seconds_least: 20, first_seconds: 30 },
        ...{ reason: 'our acquirer has confirmed it in writing', by: 'A Person' },
        at: '2026-11-01T10:00:00.000+05:30',
      },
    ]);
    try {
      const around = (seconds?: string) =>
        ['2099-12-31T23:59:00+05:30', '2100-01-01T00:00:00+05:30'].map((at) =>
          firstAfter(new Date(at), seconds),
        );
      expect([around(), around('25')]).toEqual([
        [30, 90],
        [25, 45],
      ]);
    } finally {
      usePolicies([]);
    }
  });

  it.each(['44.9', '90.1', 'soon'])('is refused as %s', (seconds) => {
    expect(() => read(seconds)).toThrow('UPI_STATUS_FIRST_SECONDS');
  });
});
