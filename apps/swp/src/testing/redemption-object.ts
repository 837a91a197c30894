import type { PlanInstallment } from '@fundrail/contracts';

const AT = '2026-12-21T10:00:00.000+05:30';

/** An installment's redemption as the events of orders carry it once it has ended. */
export function redemptionObject(
  { plan, installment_number, redemption }: PlanInstallment,
  state: 'successful' | 'failed' | 'cancelled',
): object {
  return {
    ...{
      object: 'mf_redemption',
      id: redemption,
      old_id: 1,
      mf_investment_account: `mfia_${'a'.repeat(32)}`,
    },
    ...{ scheme: 'INF846K01EW2', folio_number: '91047558203', state, type: 'amount' },
    ...{ amount: 1001, units: null },
    ...{ gateway: 'gatewaypoa', plan, installment_number, scheduled_on: null, traded_on: null },
    ...{ redeemed_units: null, redeemed_amount: null, redeemed_price: null, consent: null },
    ...{ payment_id: null, order_reference: null, failure_code: null, source_ref_id: null, user_ip: null },
    ...{ euin: null, partner: null, initiated_by: 'system', initiated_via: null, created_at: AT },
    ...{ review_completed_at: null, confirmed_at: null, submitted_at: null, succeeded_at: null },
    ...{ failed_at: null, cancelled_at: null, reversed_at: null },
  };
}
