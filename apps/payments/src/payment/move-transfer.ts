import type { Answer, TransferStatus } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { ChangePayment } from './change-payment.ts';
import type { PaymentKey } from './change-payment.ts';
import { orderStates } from './order-state.repository.ts';
import type { Payment } from './payment.ts';
import { sharesLeft } from './refund.ts';
import { paymentReference } from './references.ts';
import { beginTransfer, transferAnswered } from './transfer.ts';

/**
 * `payment.transfer`: takes the money of a SUCCESS to the order gateway. First INITIATED with our reference, committed; then
 * the call under that reference, sent again until the gateway has it; then asked about until it is settled or rejected.
 */
@Injectable()
@HandlesDue('payment.transfer')
export class MoveTransfer implements DueHandler {
  readonly kind = 'payment.transfer';

  constructor(
    private readonly change: ChangePayment,
    private readonly providers: PaymentProviders,
    private readonly log: Log,
  ) {}

  async handle(work: DueWork): Promise<DueResult> {
    const key = { tenant: work.tenant, id: Number(work.key) };
    const payment = await this.begin(key);
    // In SUCCESS it waits for its orders, whose events make this due again.
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
    const said = statusOf(answer);
    if (!said) {
      this.log.warn('the transfer has no answer that counts', {
        tenant: payment.tenant,
        payment_id: payment.id,
        kind: answer.kind,
      });
      return 'later';
    }
    const after = await this.change.execute(payment, async (row, tx) =>
      transferAnswered(row, said, await orderStates(tx, row), tx.now),
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
    return this.providers.transfers.transfer({
      reference: referenceOf(payment),
      payment_reference: paymentReference(payment.id),
      shares,
    });
  }

  private ask(payment: Payment): Promise<Answer<TransferStatus>> {
    return this.providers.transfers.transferStatus(referenceOf(payment));
  }
}

function referenceOf(payment: Payment): string {
  if (payment.transfer_reference === null)
    throw new Error(`payment ${payment.id} is INITIATED without a transfer reference`);
  return payment.transfer_reference;
}

/** The gateway's own no is a rejection; anything that is no answer stays open. */
function statusOf(answer: Answer<TransferStatus>): TransferStatus | null {
  if (answer.kind === 'yes') return answer.value;
  return answer.kind === 'no' ? { status: 'rejected', failure_code: answer.failure_code } : null;
}
