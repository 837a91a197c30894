import { Decimal } from '@fundrail/contracts';
import type { ProviderDebit, ProviderMandates } from '@fundrail/providers';
import { FakeClock } from '@fundrail/testing';
import { MandatesWorld } from './mandates-world.ts';
import { StrictProvider } from './strict-provider.ts';

/** A Monday; the notice is sent at 10:00, and the debit is executed on Tuesday at 13:00. */
export const NOTIFIED_AT = '2026-12-21T10:00:00+05:30';
export const DUE_AT = '2026-12-22T13:00:00+05:30';
/** The next window of the same day. */
export const EVENING = '2026-12-22T21:30:00+05:30';
/** The payment's id. */
export const ID = 1;
/** Its first attempt, by UPI Autopay. */
export const DEBIT: ProviderDebit = {
  ...{ reference: 'P1A1', payment_reference: 'P1', payment_id: ID, tenant: 'demo', attempt: 1 },
  ...{
    amount: Decimal.parse('1000'),
    execute_at: new Date(DUE_AT),
    notice_number: 1,
    notice_reference: null,
  },
  mandate: { mandate_type: 'UPI', mandate_token: 'tok1', provider_id: null, umrn: null },
  contact: { email: null, mobile: null },
};
export const attempt = (number: number): ProviderDebit => ({
  ...DEBIT,
  reference: `P1A${number}`,
  attempt: number,
});
/** The same debit by an e-mandate. */
export const ofEmandate = (debit: ProviderDebit): ProviderDebit => ({
  ...debit,
  mandate: { ...debit.mandate, mandate_type: 'E_MANDATE' },
});

/** A provider with one mandate of ₹5,000, valid until the end of the year. */
export class PlayedDebit {
  private readonly clock = new FakeClock(NOTIFIED_AT);
  readonly world = new MandatesWorld(this.clock);
  readonly provider: ProviderMandates = new StrictProvider('GATEWAYPOA', this.world).mandates;

  constructor() {
    this.world.tokens.set('tok1', {
      ...{ token: 'tok1', provider: 'GATEWAYPOA', state: 'active' },
      registration: {
        ...{ reference: 'P0', payment_id: 0, mandate_id: 9, tenant: 'demo', mandate_ref: 'man_9' },
        payee_name: 'Operator',
        ...{ mandate_type: 'UPI', limit: Decimal.parse('5000') },
        ...{ valid_from: '2026-12-01', valid_to: '2026-12-31', expires_at: new Date(DUE_AT) },
        payer: { name: 'A', account_number: '1', ifsc_code: 'HDFC0000001', account_type: 'savings' },
        contact: DEBIT.contact,
      },
    });
  }

  at(time: string): void {
    this.clock.set(time);
  }

  async notify(debit: ProviderDebit = DEBIT): Promise<void> {
    await this.provider.notifyDebit({ ...debit, merchant: 'Operator', mandate_ref: 'man_1', reason: 'x' });
  }

  async execute(debit: ProviderDebit = DEBIT): Promise<void> {
    await this.provider.executeDebit(debit);
  }

  /** Notified, due, and tried, with this result at the bank. */
  async tried(failure: 'insufficient_funds' | 'investor_bank_declined' | null): Promise<void> {
    await this.notify();
    this.at(DUE_AT);
    this.world.refusal = failure;
    await this.execute();
  }

  /** Notified, due, and sent, without an answer. */
  async unanswered(): Promise<void> {
    await this.notify();
    this.at(DUE_AT);
    this.world.mood = 'silent';
    await this.execute();
    this.world.mood = 'well';
  }
}
