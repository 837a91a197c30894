import type { ProviderDebit } from '@fundrail/providers';
import { Injectable } from '@nestjs/common';
import type { Payment } from '../payment/payment.ts';
import { ProviderPayments } from '../payment/provider-payments.ts';
import { attemptReference, paymentReference } from '../payment/references.ts';
import type { Debit } from './debit.tables.ts';

/** An attempt as it is sent to providers. A notice is sent as the first attempt. */
@Injectable()
export class ProviderDebits {
  constructor(private readonly toProvider: ProviderPayments) {}

  /** Throws 503 when identity does not return the investor's contact data. */
  async of(payment: Payment, debit: Debit, attempt: number): Promise<ProviderDebit> {
    const { mandate_type, mandate_token, provider_id, umrn, execute_at } = debit;
    const { notice_number, notice_reference } = debit;
    return {
      reference: attemptReference(payment.id, attempt),
      payment_reference: paymentReference(payment.id),
      payment_id: payment.id,
      tenant: payment.tenant,
      amount: payment.amount,
      mandate: { mandate_type, mandate_token, provider_id, umrn },
      attempt,
      execute_at,
      notice_number,
      notice_reference,
      contact: await this.toProvider.contactIfNeeded(payment),
    };
  }
}
