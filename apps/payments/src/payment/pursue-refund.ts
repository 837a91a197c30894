import type { Answer, RefundStatus } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { ProviderCalls } from '../trace/provider-calls.ts';
import { ChangePayment } from './change-payment.ts';
import type { RefundRow } from './payment.tables.ts';
import { findPayment } from './payment.repository.ts';
import type { Payment } from './payment.ts';
import { refundAnswered } from './refund.ts';
import { paymentOfReference, paymentReference } from './references.ts';

/** `payment.refund`: gives money back. Without an answer, the call is repeated with the same key; after a refusal, the next attempt has a new key (REF-4). */
@Injectable()
@HandlesDue('payment.refund')
export class PursueRefund implements DueHandler {
  readonly kind = 'payment.refund';

  constructor(
    private readonly change: ChangePayment,
    private readonly providers: PaymentProviders,
    private readonly calls: ProviderCalls,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  async handle({ tenant, key: reference }: DueWork): Promise<DueResult> {
    const payment = await findPayment(this.database, tenant, paymentOfReference(reference) ?? 0);
    const refund = payment?.refunds.find((row) => row.reference === reference);
    if (!payment || refund?.status !== 'CREATED') return 'done';
    const status = statusOf(await this.answerOf(payment, refund));
    await passFaultPoint('payments.refund_answered');
    if (!status) return 'later';
    const after = await this.change.execute(payment, (row, tx) =>
      refundAnswered(row, reference, status, tx.now),
    );
    await passFaultPoint('payments.refund_applied');
    return after?.refunds.find((row) => row.reference === reference)?.status === 'CREATED' ? 'later' : 'done';
  }

  private async answerOf(payment: Payment, refund: RefundRow): Promise<Answer<RefundStatus>> {
    const provider = this.providers.of(payment.provider_name);
    const { reference, amount } = refund;
    const asked = { reference, payment_reference: paymentReference(payment.id), amount };
    const recorded = async (call: 'refund' | 'refund_status', answering: Promise<Answer<RefundStatus>>) => {
      const answer = await answering;
      await this.calls.record({ payment, reference }, call, answer);
      return answer;
    };
    const send = () => recorded('refund', provider.refund(asked));
    const ask = () => recorded('refund_status', provider.refundStatus(asked));
    const answer = refund.accepted ? await ask() : await send();
    const known = answer.kind === 'not_found' && refund.accepted ? await send() : answer;
    if (!statusOf(known))
      this.log.warn('the refund got no usable answer', {
        tenant: payment.tenant,
        payment_id: payment.id,
        reference,
        kind: known.kind,
      });
    return known;
  }
}

function statusOf(answer: Answer<RefundStatus>): RefundStatus | null {
  if (answer.kind === 'yes') return answer.value;
  return answer.kind === 'no' ? { status: 'failed', failure_code: answer.failure_code } : null;
}
