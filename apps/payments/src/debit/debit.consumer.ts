import type { MandateDebit } from '@fundrail/contracts';
import { OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { ChangePayment } from '../payment/change-payment.ts';
import type { Outcome, Payment } from '../payment/payment.ts';
import { accepted, collected, debitCancelled, debitFailed, planned } from './debit.ts';

type DebitEvent = ReceivedEvent<
  | 'mandate_debit.planned'
  | 'mandate_debit.submitted'
  | 'mandate_debit.succeeded'
  | 'mandate_debit.failed'
  | 'mandate_debit.cancelled'
>;

/** Turns what mandates reports about a debit into the states and captures of its payment. Makes no remote call. */
@Controller()
export class DebitConsumer {
  constructor(private readonly change: ChangePayment) {}

  @OnEvent(
    'mandate_debit.planned',
    'mandate_debit.submitted',
    'mandate_debit.succeeded',
    'mandate_debit.failed',
    'mandate_debit.cancelled',
  )
  async onDebit(@Payload() { type, tenant, object }: DebitEvent, @Ctx() { tx }: EventContext): Promise<void> {
    const key = { tenant, id: object.payment_id };
    await this.change.within(tx, key, (payment) => outcomeOf(payment, type, object, tx.now));
  }
}

function outcomeOf(payment: Payment, type: DebitEvent['type'], debit: MandateDebit, now: Date): Outcome {
  switch (type) {
    case 'mandate_debit.planned':
      return planned(payment, debit.debit_date);
    case 'mandate_debit.submitted':
      return accepted(payment, now);
    case 'mandate_debit.succeeded':
      return collected(payment, debit.collected, now);
    case 'mandate_debit.failed':
      return debitFailed(payment, debit.failure_code, now);
    case 'mandate_debit.cancelled':
      return debitCancelled(payment, now);
    default:
      return type satisfies never;
  }
}
