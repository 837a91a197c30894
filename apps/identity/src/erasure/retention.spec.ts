import { usePolicies } from '@fundrail/policies';
import { retentionOf } from './retention.ts';

describe('how long the data of a person stays (INV-17)', () => {
  afterEach(() => {
    usePolicies([]);
  });

  it.each([
    ['before the law begins', '2026-12-21T10:00:00+05:30', '2036-12-22'],
    ['on its last day', '2027-06-30T23:59:59.999+05:30', '2037-07-01'],
    ['on the day after it', '2027-07-01T00:00:00+05:30', '2035-07-02'],
  ])('follows an override of the years of records %s', (_, at, due_on) => {
    usePolicies([
      {
        ...{ policy: 'personal_data_retention', version: '2027-05-13', parameters: { record_years: 10 } },
        ...{ reason: 'our auditor has asked for it', by: 'A Person', at: '2026-11-01T10:00:00.000+05:30' },
        expires_on: '2027-06-30',
      },
    ]);
    const now = new Date(at);
    const standing = { isLive: false, processedAt: now, orderedAt: now };
    expect(retentionOf(standing, null, now).due_on).toBe(due_on);
  });
});
