import { ApiError, ValidationFailed } from '@fundrail/contracts';
import type { Tx } from '@fundrail/messaging';
import { BadSignature, CallbackUnresolved, UnreadableCallback } from '@fundrail/providers';
import type { CallbackHeaders, PaymentCallback } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { authorisationSaid } from '../authorisation/authorisation.ts';
import { TakeMandateFact } from '../authorisation/take-mandate-fact.ts';
import { TakeDebitFact } from '../debit/take-debit-fact.ts';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { providerSaid } from './capture.ts';
import { ChangePayment } from './change-payment.ts';
import { orderStates } from './order-state.repository.ts';
import type { ProviderName } from './payment.entity.ts';
import { takeProviderEvent, tenantOfPayment } from './payment.repository.ts';
import { contradicted, mayTryAgain, unchanged } from './payment.ts';
import type { DueTask, Outcome, Payment } from './payment.ts';
import { refundAnswered } from './refund.ts';
import { paymentOfReference } from './references.ts';
import { transferAnswered } from './transfer.ts';

const SIGNATURE_HEADERS: Record<ProviderName, string> = {
  GATEWAYPOA: 'x-gatewaypoa-signature',
  SDKVENDOR: 'x-razorpay-signature',
};

/** A provider's callback: signature, event id and effect in one transaction. Repeated or out of order, it changes nothing. */
@Injectable()
export class TakeCallback {
  constructor(
    private readonly change: ChangePayment,
    private readonly providers: PaymentProviders,
    private readonly mandates: TakeMandateFact,
    private readonly debits: TakeDebitFact,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Throws 400 when the signature does not fit the raw body or not even the reference can be read. */
  async execute(provider: ProviderName, headers: CallbackHeaders, rawBody: string): Promise<void> {
    const callback = await this.read(provider, headers, rawBody);
    const { event_id, reference, fact } = callback;
    if (fact?.about === 'mandate') {
      const { mandate_token, state: status } = fact;
      return this.mandates.execute({ provider_name: provider, mandate_token, status, event_id });
    }
    const id = paymentOfReference(reference);
    const tenant = id === null ? null : await tenantOfPayment(this.database, id);
    if (id === null || tenant === null) {
      this.log.warn('a callback is about nothing of ours', { provider, event_id, reference });
      return;
    }
    await this.database.transaction(async (tx) => {
      if (!(await takeProviderEvent(tx, provider, callback))) return;
      if (fact?.about === 'debit' || fact?.about === 'notice')
        return this.debits.within(tx, { tenant, id }, provider, fact);
      await this.change.within(tx, { tenant, id }, (payment) =>
        isOthers(payment, provider, callback)
          ? contradicted(payment, 'told_by_another_provider')
          : outcomeOf(payment, callback, tx),
      );
    });
    await passFaultPoint('payments.callback_applied');
  }

  private async read(
    provider: ProviderName,
    headers: CallbackHeaders,
    rawBody: string,
  ): Promise<PaymentCallback> {
    try {
      return await this.providers.of(provider).readCallback(headers, rawBody);
    } catch (error) {
      if (error instanceof BadSignature)
        throw new ValidationFailed([
          { field: SIGNATURE_HEADERS[provider], message: 'does not sign this body' },
        ]);
      if (error instanceof UnreadableCallback)
        throw new ValidationFailed([{ field: 'reference', message: 'cannot be read' }]);
      if (error instanceof CallbackUnresolved) throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], 5);
      throw error;
    }
  }
}

/** A provider's word about money that another one takes. Transfers are the order gateway's, whoever took the money. */
function isOthers(payment: Payment, provider: ProviderName, { fact }: PaymentCallback): boolean {
  return fact !== null && fact.about !== 'transfer' && payment.provider_name !== provider;
}

async function outcomeOf(payment: Payment, { reference, fact }: PaymentCallback, tx: Tx): Promise<Outcome> {
  const { now } = tx;
  switch (fact?.about) {
    case 'payment':
      // Which attempt of the page failed is found by asking.
      if (fact.payment.status === 'failed' && mayTryAgain(payment, now))
        return asking(payment, reference, now);
      return providerSaid(payment, fact.payment, now);
    case 'transfer':
      return transferAnswered(payment, fact.transfer, await orderStates(tx, payment), now);
    case 'refund':
      return refundAnswered(payment, reference, fact.refund, now);
    case 'authorisation':
      return authorisationSaid(payment, fact.authorisation, now);
    case 'debit':
    case 'notice':
    case 'mandate':
      return unchanged(payment);
    case undefined:
      return asking(payment, reference, now);
    default:
      return fact satisfies never;
  }
}

/** The callback does not say enough: the provider is asked in its place. */
function asking(payment: Payment, reference: string, now: Date): Outcome {
  return { ...unchanged(payment), due: [question(payment, reference, now)] };
}

function question({ id, payment_type }: Payment, reference: string, due_at: Date): DueTask {
  if (reference.startsWith('R')) return { kind: 'payment.refund', key: reference, due_at };
  if (reference.startsWith('T')) return { kind: 'payment.transfer', key: String(id), due_at };
  return { kind: payment_type === 'NACH' ? 'debit.status' : 'payment.status', key: String(id), due_at };
}
