import { paymentStandings, type PaymentStanding } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { byKey } from '@fundrail/service-kit/reconciliation';
import { Injectable } from '@nestjs/common';

/** The states of the payments that hold something here. */
@Injectable()
export class PaymentStandings {
  constructor(private readonly services: ServiceClient) {}

  /** Accepts at most a page. Throws when payments does not answer. */
  async of(paymentIds: readonly number[]): Promise<ReadonlyMap<number, PaymentStanding>> {
    const payment_ids = [...new Set(paymentIds)];
    if (payment_ids.length === 0) return new Map();
    const { payments } = await this.services.call('payments', {
      method: 'POST',
      path: '/internal/reconciliation/payments',
      body: { payment_ids },
      answer: paymentStandings,
      // Payments asks the providers about ids that it does not know.
      timeoutMs: 20_000,
      retry: true,
    });
    return byKey(payments, ({ payment_id }) => payment_id);
  }
}

/** In one word: the payment's status, `void`, or `nothing`. */
export function standingName(payment: PaymentStanding | undefined): string {
  if (!payment) return 'nothing';
  return payment.known === 'payment' ? payment.status : payment.known;
}
