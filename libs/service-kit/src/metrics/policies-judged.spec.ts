import { Decimal } from '@fundrail/contracts';
import { judge } from '@fundrail/policies';
import { metricsText } from './service-metrics.ts';

describe('the metric of judged policies (POL-8)', () => {
  it('counts the judgements of the process by policy and outcome', async () => {
    expect(await metricsText([])).toContain(
      'fundrail_policy_judged_total{policy="upi_daily_limit",outcome="refused"} 0\n',
    );
    expect(await metricsText([])).toContain(
      'fundrail_policy_judged_total{policy="debit_opt_out",outcome="refused"} 0\n',
    );
    const now = new Date('2026-12-21T12:00:00+05:30');
    for (const mandate_limit of ['1', '100000', '100000.01'])
      judge('autopay_afa_limit', now, null, { mandate_limit: Decimal.parse(mandate_limit) });
    const text = await metricsText([]);
    const line = (outcome: string) =>
      `fundrail_policy_judged_total{policy="autopay_afa_limit",outcome="${outcome}"}`;
    expect(text).toContain(`${line('allowed')} 2\n`);
    expect(text).toContain(`${line('refused')} 1\n`);
  });
});
