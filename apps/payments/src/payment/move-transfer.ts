import type { Answer, TransferStatus } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import type { CallName } from '../trace/provider-call.repository.ts';
import { ProviderCalls } from '../trace/provider-calls.ts';
import { ChangePayment } from './change-payment.ts';
import type { PaymentKey } from './change-payment.ts';
import { orderStates } from './order-state.repository.ts';
import type { Payment } from './payment.ts';
import { sharesLeft } from './refund.ts';
import { paymentReference } from './references.ts';
import { beginTransfer, transferAnswered } from './transfer.ts';

/**
 * `payment.transfer`: transfers the money of a SUCCESS to the order gateway. First INITIATED with our reference is committed. Then
 * the call is sent with that reference until the gateway has accepted it. Then the status is asked until it is settled or rejected.
 */
@Injectable()
@HandlesDue('payment.transfer')
export class MoveTransfer implements DueHandler {
  readonly kind = 'payment.transfer';

  constructor(
    private readonly change: ChangePayment,
    private readonly providers: PaymentProviders,
    private readonly calls: ProviderCalls,
    private readonly log: Log,
  ) {}

  async handle(work: DueWork): Promise<DueResult> {
    const key = { tenant: work.tenant, id: Number(work.key) };
    const payment = await this.begin(key);
    // In SUCCESS it waits for its orders; their events make this due again.
    if (payment?.status !== 'INITIATED') return 'done';
    await passFaultPoint('payments.transfer_started');
    return this.pursue(payment);
  }

  private begin(key: PaymentKey): Promise<Payment | null> {
    return this.change.execute(key, async (row, tx) =>
      beginTransfer(row, await orderStates(tx, row), tx.now),
    );
  }

  private async pursue(payment: Payment): Promise<DueResult> {
    let answer = payment.transfer_accepted_at ? await this.ask(payment) : await this.send(payment);
    if (answer.kind === 'not_found') answer = await this.send(payment);
    await passFaultPoint('payments.transfer_answered');
    const status = statusOf(answer);
    if (!status) {
      this.log.warn('the transfer got no usable answer', {
        tenant: payment.tenant,
        payment_id: payment.id,
        kind: answer.kind,
      });
      return 'later';
    }
    const after = await this.change.execute(payment, async (row, tx) =>
      transferAnswered(row, status, await orderStates(tx, row), tx.now),
    );
    await passFaultPoint('payments.transfer_applied');
    return after?.status === 'INITIATED' ? 'later' : 'done';
  }

  private send(payment: Payment): Promise<Answer<TransferStatus>> {
    const shares = sharesLeft(payment).map(({ order_id, old_id, amount }) => ({
      order: order_id,
      old_id,
      amount,
    }));
    const reference = referenceOf(payment);
    const asked = { reference, payment_reference: paymentReference(payment.id), shares };
    return this.recorded(payment, 'transfer', this.providers.transfers.transfer(asked));
  }

  private ask(payment: Payment): Promise<Answer<TransferStatus>> {
    const { transfers } = this.providers;
    return this.recorded(payment, 'transfer_status', transfers.transferStatus(referenceOf(payment)));
  }

  private async recorded(
    payment: Payment,
    call: CallName,
    answering: Promise<Answer<TransferStatus>>,
  ): Promise<Answer<TransferStatus>> {
    const answer = await answering;
    await this.calls.record({ payment, reference: referenceOf(payment) }, call, answer);
    return answer;
  }
}

function referenceOf(payment: Payment): string {
  if (payment.transfer_reference === null)
    throw new Error(`payment ${payment.id} is INITIATED without a transfer reference`);
  return payment.transfer_reference;
}

/** A refusal by the gateway is a rejection; without a usable answer the transfer stays open. */
function statusOf(answer: Answer<TransferStatus>): TransferStatus | null {
  if (answer.kind === 'yes') return answer.value;
  return answer.kind === 'no' ? { status: 'rejected', failure_code: answer.failure_code } : null;
}
