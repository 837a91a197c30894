import { Decimal, newId, type PlanInstallment, type PurchaseInstallment } from '@fundrail/contracts';
import { ACCOUNT, CONTACTS, INVESTOR } from './purchase.builder.ts';

/** Installment 1 of a new plan: ₹5000 a month, not collected by mandate. */
export function anInstallment(changes: Partial<PlanInstallment> = {}): PlanInstallment {
  return {
    plan: newId('redemptionPlan'),
    mf_investment_account: ACCOUNT,
    folio_number: '123/45',
    scheme: 'INF173K01FE6',
    amount: Decimal.parse('5000'),
    units: null,
    gateway: 'gatewaypoa',
    consent: CONTACTS,
    payment_method: null,
    payment_source: null,
    euin: null,
    partner: null,
    user_ip: null,
    initiated_by: 'system',
    installment_number: 1,
    redemption: newId('redemption'),
    state: 'under_review',
    nominal_date: '2026-12-20',
    date: '2026-12-21',
    ...changes,
  };
}

/** The same, collected by mandate 7001. */
export function aCollectedInstallment(changes: Partial<PlanInstallment> = {}): PlanInstallment {
  return anInstallment({ payment_method: 'mandate', payment_source: 7001, ...changes });
}

/** Installment 1 of a new purchase plan: ₹5000 on Wednesday, 23 December 2026, which the investor pays himself. */
export function aPurchaseInstallment(changes: Partial<PurchaseInstallment> = {}): PurchaseInstallment {
  return {
    ...{ plan: newId('purchasePlan'), account: ACCOUNT, investor_profile: INVESTOR, scheme: 'INF173K01FE6' },
    ...{ euin: null, partner: null, folio_number: null, consent: CONTACTS, user_ip: null },
    ...{ installment_number: 1, purchase: newId('purchase'), state: 'under_review' },
    ...{ nominal_date: '2026-12-23', date: '2026-12-23', payable_until: '2026-12-29T23:00:00.000+05:30' },
    ...{ amount: Decimal.parse('5000'), payment_source: null, ...changes },
  };
}
