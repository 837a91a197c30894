import { paymentReference } from '@fundrail/providers';
import type { Answer, TransferStatus } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { RecordedCalls } from '@fundrail/service-kit/calls';
import type { CallName } from '@fundrail/service-kit/calls';
import { HandlesDue, pursue } from '@fundrail/service-kit/due';
import type { DueResult, DueWork, OutsideAnswer, OutsideCall } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { ChangePayment, type PaymentKey } from './change-payment.ts';
import type { Payment } from './payment.ts';
import { sharesLeft } from './refund.ts';
import { beginTransfer, transferAnswered } from './transfer.ts';

/**
 * `payment.transfer`: transfers the money of a SUCCESS to the order gateway. First INITIATED with our reference is committed. Then
 * the call is sent with that reference until the gateway has accepted it. Then the status is asked until it is settled or rejected.
 */
@Injectable()
@HandlesDue('payment.transfer')
export class MoveTransfer {
  constructor(
    private readonly change: ChangePayment,
    private readonly providers: PaymentProviders,
    private readonly calls: RecordedCalls,
    private readonly log: Log,
  ) {}

  handle(work: DueWork): Promise<DueResult> {
    const call: OutsideCall<Payment, TransferStatus> = {
      load: ({ tenant, key }) => this.begin({ tenant, id: Number(key) }),
      asksFirst: ({ transfer_accepted_at }) => transfer_accepted_at !== null,
      send: { name: 'payments.transfer', call: (payment) => this.send(payment) },
      ask: { name: 'payments.transfer', call: (payment) => this.ask(payment) },
      apply: (payment, status) => this.conclude(payment, status),
      silence: {
        log: this.log,
        what: 'the transfer',
        about: ({ tenant, id: payment_id }) => ({ tenant, payment_id }),
      },
    };
    return pursue(call, work);
  }

  /** In SUCCESS it waits for its orders; their events make this due again. */
  private async begin(key: PaymentKey): Promise<Payment | null> {
    const payment = await this.change.execute(key, (row, { now }, states) => beginTransfer(row, states, now));
    return payment?.status === 'INITIATED' ? payment : null;
  }

  private async conclude(payment: Payment, status: TransferStatus): Promise<DueResult> {
    const after = await this.change.execute(payment, (row, { now }, states) =>
      transferAnswered(row, status, states, now),
    );
    await passFaultPoint('payments.transfer_applied');
    return after?.status === 'INITIATED' ? 'later' : 'done';
  }

  private send(payment: Payment): Promise<OutsideAnswer<TransferStatus>> {
    const shares = sharesLeft(payment).map(({ order_id, old_id, amount }) => ({
      order: order_id,
      old_id,
      amount,
    }));
    const reference = referenceOf(payment);
    const asked = { reference, payment_reference: paymentReference(payment.id), shares };
    return this.read(payment, 'transfer', this.providers.transfers.transfer(asked));
  }

  private ask(payment: Payment): Promise<OutsideAnswer<TransferStatus>> {
    const { transfers } = this.providers;
    return this.read(payment, 'transfer_status', transfers.transferStatus(referenceOf(payment)));
  }

  /** Records the answer for operators, and reads it. A refusal by the gateway is a rejection. */
  private async read(
    payment: Payment,
    call: CallName,
    answering: Promise<Answer<TransferStatus>>,
  ): Promise<OutsideAnswer<TransferStatus>> {
    const answer = await answering;
    await this.calls.record({ payment, reference: referenceOf(payment) }, call, answer);
    if (answer.kind !== 'no') return answer;
    return { kind: 'yes', value: { status: 'rejected', failure_code: answer.failure_code } };
  }
}

function referenceOf(payment: Payment): string {
  if (payment.transfer_reference === null)
    throw new Error(`payment ${payment.id} is INITIATED without a transfer reference`);
  return payment.transfer_reference;
}
