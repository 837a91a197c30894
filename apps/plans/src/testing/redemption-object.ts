import { mfRedemption, type PlanInstallment } from '@fundrail/contracts';
import { objectOfEvent } from '@fundrail/testing';
import { ACCOUNT } from './plan.builder.ts';

/** An installment's redemption as the events of orders carry it once it has ended. */
export function redemptionObject(
  { plan, installment_number, redemption }: PlanInstallment,
  state: 'successful' | 'failed' | 'cancelled',
): object {
  return objectOfEvent(mfRedemption, {
    ...{ object: 'mf_redemption', id: redemption, old_id: 1, mf_investment_account: ACCOUNT, state },
    ...{ scheme: 'INF846K01EW2', folio_number: '91047558203', type: 'amount', amount: 1001 },
    ...{ gateway: 'gatewaypoa', plan, installment_number, initiated_by: 'system' },
    created_at: '2026-12-21T10:00:00.000+05:30',
  });
}
