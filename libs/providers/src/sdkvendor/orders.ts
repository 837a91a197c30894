import type { PaymentFailureCode } from '@fundrail/contracts';
import { mapYes, notUnderstood, type Answer } from '../answer.ts';
import type { SdkvendorBooks } from './books.ts';
import type { SdkvendorClient } from './client.ts';
import { createdOf, oldest, ordered, type OrderBody } from './transform.ts';
import { order, type Order } from './wire.ts';
import { route } from '../route.ts';

/** An order, and whether it existed before this call; then attempts may have been made under it. */
export interface FoundOrder {
  readonly order: Order;
  readonly before: boolean;
}

/** Razorpay's orders have no idempotency key: the order is searched by its receipt first, and again when it was refused. */
export async function findOrCreateOrder(
  client: SdkvendorClient,
  books: SdkvendorBooks,
  body: OrderBody,
): Promise<Answer<FoundOrder, PaymentFailureCode>> {
  const known = await findOrder(books, body);
  if (known.kind !== 'not_found') return known;
  const answer = createdOf(await client.post(route`/orders`, body), order);
  if (answer.kind !== 'no') {
    if (answer.kind === 'yes') books.keep(answer.value);
    return ordered(mapYes(answer, (created) => ({ order: created, before: false })));
  }
  // Another of our calls may have been faster: receipts are unique.
  const after = await findOrder(books, body);
  if (after.kind !== 'not_found') return after;
  // Our own call used the receipt, and the list does not show its order yet: the next call finds it.
  if (RECEIPT_IS_TAKEN.test(answer.message)) return { kind: 'unknown', why: 'no_answer', detail: 'receipt' };
  return ordered(answer);
}

const RECEIPT_IS_TAKEN = /receipt.*unique/i;

async function findOrder(
  books: SdkvendorBooks,
  { receipt, amount }: OrderBody,
): Promise<Answer<FoundOrder, PaymentFailureCode>> {
  const all = await books.ordersOf(receipt);
  // A refused list request does not mean that the order is refused.
  if (all.kind === 'no') return notUnderstood(all.message);
  if (all.kind !== 'yes') return all;
  const found = oldest(all.value);
  if (!found) return { kind: 'not_found' };
  if (found.amount !== amount) return notUnderstood('the order has another amount');
  books.keep(found);
  return { kind: 'yes', value: { order: found, before: true } };
}
