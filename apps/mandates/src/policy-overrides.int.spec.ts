import { signedOverrides } from '@fundrail/testing';
import { MandatesUnderTest } from './testing/mandates-under-test.ts';

describe('a service whose operator overrides a policy (POL-11)', () => {
  let mandates: MandatesUnderTest;
  beforeAll(async () => {
    const overrides = signedOverrides({
      policy: 'autopay_afa_limit',
      version: '2023-12-12',
      parameters: { max: 150_000 },
      reason: 'the limit was raised by a letter to members',
      by: 'A Person',
      at: '2026-11-01T10:00:00.000+05:30',
    });
    mandates = await MandatesUnderTest.start(1, false, overrides);
  });
  afterAll(() => mandates.stop());

  it('refuses by the overridden figure', async () => {
    const create = (mandate_limit: number) =>
      mandates.ask('POST', '/api/pg/mandates', {
        body: { mandate_type: 'upi', bank_account_id: 7, provider_name: 'GATEWAYPOA', mandate_limit },
      });
    const [allowed, refused] = [await create(150_000), await create(150_000.01)];
    expect([allowed.status, refused.status]).toEqual([201, 422]);
    expect(JSON.stringify(refused.body)).toContain('1,50,000');
  });
});
