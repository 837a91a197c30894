import { paymentOfReference, paymentReference } from '@fundrail/providers';
import type { RefundStatus } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { RecordedCalls } from '@fundrail/service-kit/calls';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, pursue } from '@fundrail/service-kit/due';
import type { DueResult, DueWork, OutsideAnswer, OutsideCall } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { ChangePayment } from './change-payment.ts';
import { findPayment } from './payment.repository.ts';
import type { RefundRow } from './payment.tables.ts';
import type { Payment } from './payment.ts';
import { refundAnswered } from './refund.ts';

/** A refund with its payment. */
interface RefundOf {
  readonly payment: Payment;
  readonly refund: RefundRow;
}

/** `payment.refund`: gives money back. Without an answer, the call is repeated with the same key; after a refusal, the next attempt has a new key (REF-4). */
@Injectable()
@HandlesDue('payment.refund')
export class PursueRefund {
  constructor(
    private readonly change: ChangePayment,
    private readonly providers: PaymentProviders,
    private readonly calls: RecordedCalls,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  handle(work: DueWork): Promise<DueResult> {
    const call: OutsideCall<RefundOf, RefundStatus> = {
      load: (due) => this.find(due),
      asksFirst: ({ refund }) => refund.accepted,
      send: { name: 'payments.refund', call: (of) => this.request(of, 'refund') },
      ask: { name: 'payments.refund', call: (of) => this.request(of, 'refund_status') },
      apply: (of, status) => this.conclude(of, status),
      silence: {
        log: this.log,
        what: 'the refund',
        about: ({ payment: { tenant, id: payment_id }, refund: { reference } }) => ({
          tenant,
          payment_id,
          reference,
        }),
      },
    };
    return pursue(call, work);
  }

  private async find({ tenant, key }: DueWork): Promise<RefundOf | null> {
    const payment = await findPayment(this.database, tenant, paymentOfReference(key) ?? 0);
    const refund = payment?.refunds.find(({ reference }) => reference === key);
    return payment && refund?.status === 'CREATED' ? { payment, refund } : null;
  }

  private async conclude({ payment, refund }: RefundOf, status: RefundStatus): Promise<DueResult> {
    const { reference } = refund;
    const after = await this.change.execute(payment, (row, tx) =>
      refundAnswered(row, reference, status, tx.now),
    );
    await passFaultPoint('payments.refund_applied');
    return after?.refunds.find((row) => row.reference === reference)?.status === 'CREATED' ? 'later' : 'done';
  }

  private async request(
    { payment, refund }: RefundOf,
    call: 'refund' | 'refund_status',
  ): Promise<OutsideAnswer<RefundStatus>> {
    const { reference, amount } = refund;
    const asked = { reference, payment_reference: paymentReference(payment.id), amount };
    const provider = this.providers.of(payment.provider_name);
    const answer = await (call === 'refund' ? provider.refund(asked) : provider.refundStatus(asked));
    await this.calls.record({ payment, reference }, call, answer);
    if (answer.kind !== 'no') return answer;
    return { kind: 'yes', value: { status: 'failed', failure_code: answer.failure_code } };
  }
}
