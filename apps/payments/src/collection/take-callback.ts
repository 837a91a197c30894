import type { ProviderName } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import {
  readOrRefuse,
  paymentOfReference,
  type CallbackHeaders,
  type PaymentCallback,
} from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { reportCallback, reportDebit } from '../debit/debit.ts';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import type { PaymentKey } from '../payment/change-payment.ts';
import type { OrderStates } from '../payment/orders-of-payment.ts';
import { ignoreProviderEvent, takePaymentEvent } from '../payment/payment.repository.ts';
import { contradicted, type DueTask, type Payment } from '../payment/payment.ts';
import { refundAnswered } from '../payment/refund.ts';
import { transferAnswered } from '../payment/transfer.ts';
import { applyAuthorisationStatus } from './authorisation/authorisation.ts';
import { TakeMandateFact } from './authorisation/take-mandate-fact.ts';
import { ChangeCollection } from './change-collection.ts';
import { applyPaymentStatus, decided, mayTryAgain, still } from './collection.ts';
import type { Collection, CollectionOutcome } from './collection.ts';

/** Takes a provider's callback: checks the signature, then records event id and effect in one transaction. Repeated or late callbacks change nothing. */
@Injectable()
export class TakeCallback {
  constructor(
    private readonly change: ChangeCollection,
    private readonly providers: PaymentProviders,
    private readonly mandates: TakeMandateFact,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Throws 400 when the signature does not match the raw body, or the reference cannot be read. */
  async execute(headers: CallbackHeaders, rawBody: string, provider: ProviderName): Promise<void> {
    const adapter = this.providers.of(provider);
    const callback = await readOrRefuse(
      () => adapter.readCallback(headers, rawBody),
      adapter.signatureHeader,
    );
    const { event_id, reference, fact } = callback;
    if (fact?.about === 'mandate') {
      const { mandate_token, state: status } = fact;
      return this.mandates.execute({ provider_name: provider, mandate_token, status, event_id });
    }
    const id = paymentOfReference(reference);
    const isKnown = id !== null && (await this.take(id, provider, callback));
    if (isKnown) await passFaultPoint('payments.callback_applied');
    else this.log.warn('a callback is about an unknown payment', { provider, event_id, reference });
  }

  /** Returns false, and stores nothing, when there is no such payment. */
  private take(id: number, provider: ProviderName, callback: PaymentCallback): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const taken = await takePaymentEvent(tx, provider, callback, id);
      if (taken?.is_new) await this.apply(tx, { tenant: taken.tenant, id }, provider, callback);
      return taken !== null;
    });
  }

  private async apply(
    tx: Tx,
    key: PaymentKey,
    provider: ProviderName,
    callback: PaymentCallback,
  ): Promise<void> {
    const { fact, event_id } = callback;
    await this.change.within(tx, key, async (row, { now }, states) => {
      if (!fitsType(row, fact)) {
        const { payment_type } = row;
        this.log.warn('the fact in a callback does not fit the type of the payment', {
          ...{ tenant: key.tenant, payment_id: key.id, provider, event_id },
          ...{ payment_type, fact: fact?.about },
        });
        await ignoreProviderEvent(tx, provider, event_id, `${fact?.about} of ${payment_type}`);
        return still(row);
      }
      return isOthers(row, provider, callback)
        ? decided(row, contradicted(row, 'told_by_another_provider'))
        : outcomeOf(row, callback, states, now);
    });
  }
}

type About = NonNullable<PaymentCallback['fact']>['about'];

/** The facts that fit each type of payment. */
const FACTS_BY_TYPE: Record<Payment['payment_type'], ReadonlySet<About>> = {
  NETBANKING: new Set<About>(['payment', 'transfer', 'refund']),
  NACH: new Set<About>(['debit', 'notice', 'transfer', 'refund']),
  AUTH_TRANSACTION: new Set<About>(['authorisation']),
};

/** A callback without a fact only causes a status call, and fits any payment. */
function fitsType({ payment_type }: Payment, fact: PaymentCallback['fact']): boolean {
  return fact === null || FACTS_BY_TYPE[payment_type].has(fact.about);
}

/** Whether a provider reports on a payment of another provider. The order gateway does the transfers of all payments. */
function isOthers(payment: Payment, provider: ProviderName, { fact }: PaymentCallback): boolean {
  return fact !== null && fact.about !== 'transfer' && payment.provider_name !== provider;
}

function outcomeOf(
  payment: Collection,
  { reference, fact }: PaymentCallback,
  states: OrderStates,
  now: Date,
): CollectionOutcome {
  switch (fact?.about) {
    case 'payment':
      // Only the status call shows which attempt on the page failed.
      if (fact.payment.status === 'failed' && mayTryAgain(payment, now))
        return statusCall(payment, reference, now);
      return applyPaymentStatus(payment, fact.payment, now);
    case 'transfer':
      return decided(payment, transferAnswered(payment, fact.transfer, states, now));
    case 'refund':
      return decided(payment, refundAnswered(payment, reference, fact.refund, now));
    case 'authorisation':
      if (fact.authorisation.status === 'failed' && mayTryAgain(payment, now))
        return statusCall(payment, reference, now);
      return applyAuthorisationStatus(payment, fact.authorisation, now);
    case 'debit':
    case 'notice':
      return decided(payment, reportCallback(payment, fact));
    case 'mandate':
      return still(payment);
    case undefined:
      return statusCall(payment, reference, now);
    default:
      return fact satisfies never;
  }
}

/** The callback does not contain enough, so the provider is asked. */
function statusCall(payment: Collection, reference: string, now: Date): CollectionOutcome {
  const task = statusTask(payment, reference, now);
  return task ? { ...still(payment), due: [task] } : decided(payment, reportDebit(payment, {}));
}

/** Null for a debit, about which mandates asks. */
function statusTask({ id, payment_type }: Payment, reference: string, due_at: Date): DueTask | null {
  if (reference.startsWith('R')) return { kind: 'payment.refund', key: reference, due_at };
  if (reference.startsWith('T')) return { kind: 'payment.transfer', key: String(id), due_at };
  return payment_type === 'NACH' ? null : { kind: 'payment.status', key: String(id), due_at };
}
