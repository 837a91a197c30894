import { Decimal, istDate } from '@fundrail/contracts';
import { MANDATE_URI_CODES } from '@fundrail/providers';
import type { sdkvendorWire } from '@fundrail/providers/sdkvendor';
import { Database } from '@fundrail/service-kit/db';
import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { recordWebhook } from '../callback/callback.repository.ts';
import { TenantSettings } from '../hold/tenant-settings.ts';
import type { MandateRow } from '../mandate/mandate.ts';
import { mandateFault } from '../mandate/npci.ts';
import { uriOf } from '../mandate/register-authorisation.ts';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { store } from '../store/simulator.tables.ts';
import { razorpayId } from './razorpay-id.ts';
import { existing, RazorpayRefusal } from './razorpay-refusal.ts';
import { asProviderPayment, newOrder, orderFault, ownerOf, repeatOf, toOrderObject } from './sdk-order.ts';
import type { OrderNotification, OrderOwner, SdkOrderRow } from './sdk-order.ts';

type Request = sdkvendorWire.OrderRequest;

const NOT_UNIQUE = 'Order receipt should be unique.';

/** The mandate's fields in the notes of our adapter. */
const mandateNotes = z.object({
  mandate_id: z.coerce.number().int().positive().nullable().catch(null),
  valid_from: z.iso.date().nullable().catch(null),
  about: z.string().nullable().catch(null),
});

/**
 * Creates an order: to be paid, to authorise a mandate (`token`), or to debit one (`notification`). There is no idempotency key. A
 * repeated receipt is refused, as Razorpay does for accounts with that option. An order for a debit is an exception: two are allowed, so
 * that our code cannot rely on the refusal.
 */
@Injectable()
export class CreateOrder {
  constructor(
    private readonly db: Database,
    private readonly settings: TenantSettings,
  ) {}

  async execute(request: Request) {
    const fault = orderFault(request);
    if (fault) throw new RazorpayRefusal('input_validation_failed', fault);
    const owner = ownerOf(request.notes);
    const payee = await this.payeeOf(owner);
    return this.db.transaction(async (tx) => {
      const first = newOrder(razorpayId('order'), request, owner, tx.now);
      const payment = asProviderPayment(first, owner, payee);
      const mandate = request.token ? await mandateOf(tx, first, request) : null;
      const fresh = await store.payments.insertOnce(
        tx,
        mandate ? asAuthorisation(payment, mandate) : asked(payment, request),
      );
      const order = fresh ? first : await repeated(tx, first, payment, request);
      if (!(await store.sdkOrders.insertOnce(tx, order)))
        throw new RazorpayRefusal('input_validation_failed', NOT_UNIQUE);
      if (mandate) await store.mandates.insert(tx, mandate);
      const notification = request.notification ? await notify(tx, order, request.notification) : null;
      return toOrderObject(order, { paid: false, attempts: 0 }, notification);
    });
  }

  /** The operator's name, or the account's own name when the order has no payment of ours. */
  private async payeeOf({ tenant, payment_id }: OrderOwner): Promise<string> {
    return payment_id === null ? 'Sandbox Merchant' : (await this.settings.of(tenant)).settings.operator_name;
  }
}

/** The mandate that the order's token requests. */
async function mandateOf(
  tx: Tx,
  order: SdkOrderRow,
  { token, customer_id, notes }: Request,
): Promise<MandateRow> {
  const { max_amount, expire_at } = existing(token ?? null);
  const customer = existing(customer_id ? await store.customers.find(tx, { id: customer_id }) : null);
  const ours = mandateNotes.safeParse(notes).data;
  const { reference, tenant, created_at } = order;
  const status = 'unauthorised';
  return {
    ...{ reference, provider: 'sdkvendor', mandate_id: ours?.mandate_id ?? null, tenant, status },
    customer_id: customer.id,
    mandate_type: order.method === 'emandate' ? 'E_MANDATE' : 'UPI',
    max_amount: Decimal.ofPaise(max_amount),
    valid_from: ours?.valid_from ?? istDate(created_at),
    valid_to: istDate(new Date(expire_at * 1000)),
    ...{ token: null, umrn: null, deleted: false, created_at },
  };
}

function asAuthorisation(payment: ProviderPaymentRow, mandate: MandateRow): ProviderPaymentRow {
  const upi_uri = uriOf(mandate, payment.payee_name, MANDATE_URI_CODES);
  return { ...payment, kind: 'authorisation', amount: mandate.max_amount, upi_uri };
}

function isForDebit({ notification, notes }: Request): boolean {
  return notification !== undefined || mandateNotes.safeParse(notes).data?.about === 'debit';
}

/** Marks the payment of a debit's order as a debit: the investor does not pay it. */
function asked(payment: ProviderPaymentRow, request: Request): ProviderPaymentRow {
  return isForDebit(request) ? { ...payment, kind: 'debit', upi_uri: '' } : payment;
}

async function repeated(
  tx: Tx,
  first: SdkOrderRow,
  payment: ProviderPaymentRow,
  request: Request,
): Promise<SdkOrderRow> {
  if (!isForDebit(request)) throw new RazorpayRefusal('input_validation_failed', NOT_UNIQUE);
  const order = repeatOf(first);
  await store.payments.insertOnce(
    tx,
    asked({ ...payment, reference: order.reference, payment_id: null }, request),
  );
  return order;
}

/** Notifies the investor of the debit that the order is for. */
async function notify(
  tx: Tx,
  order: SdkOrderRow,
  { token_id, payment_after }: sdkvendorWire.NotificationRequest,
): Promise<OrderNotification> {
  const mandate = existing(await store.mandates.find(tx, { token: token_id }));
  const fault = mandateFault(mandate, order.amount, tx.now);
  if (fault) throw new RazorpayRefusal('input_validation_failed', fault.message);
  const { id: notice_reference, reference: payment_reference, tenant, amount } = order;
  const execute_at = payment_after === undefined ? tx.now : new Date(payment_after * 1000);
  const notice = {
    notice_reference,
    reference: notice_reference,
    payment_reference,
    mandate_token: token_id,
  };
  await store.notices.insertOnce(tx, {
    ...notice,
    tenant,
    amount,
    execute_at,
    sent_at: tx.now,
    withdrawn: false,
    opted_out: false,
    ...{ merchant: null, mandate_ref: null, reason: null },
  });
  const notification = { mandate_token: token_id, execute_at };
  const entities = { order: toOrderObject(order, { paid: false, attempts: 0 }, notification) };
  const event = 'order.notification.delivered';
  await recordWebhook(tx, { tenant, reference: payment_reference, event, entities });
  return notification;
}
