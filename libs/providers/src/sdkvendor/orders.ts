import type { PaymentFailureCode } from '@fundrail/contracts';
import type { Answer } from '../ports.ts';
import type { SdkvendorBooks } from './books.ts';
import type { SdkvendorClient } from './client.ts';
import { answerOf, mapYes, notUnderstood, oldest, ordered } from './transform.ts';
import { order } from './wire.ts';
import type { Order } from './wire.ts';
import { route } from '../route.ts';

/** An order, and whether it had been there before this call: then attempts may have been made under it. */
export interface FoundOrder {
  readonly order: Order;
  readonly before: boolean;
}

/** What an order is made of. `receipt` is our reference and the only way to find it again. */
export interface OrderBody {
  readonly receipt: string;
  readonly amount: number;
}

/** Razorpay's orders have no idempotency key: the order is looked for by its receipt first, and again when it was refused. */
export async function findOrCreateOrder(
  client: SdkvendorClient,
  books: SdkvendorBooks,
  body: OrderBody,
): Promise<Answer<FoundOrder, PaymentFailureCode>> {
  const known = await findOrder(books, body);
  if (known.kind !== 'not_found') return known;
  const answer = answerOf(await client.post(route`/orders`, body), order);
  if (answer.kind !== 'no') {
    if (answer.kind === 'yes') books.keep(answer.value);
    return ordered(mapYes(answer, (created) => ({ order: created, before: false })));
  }
  // Another call of ours may have been quicker: receipts are unique.
  const after = await findOrder(books, body);
  return after.kind === 'not_found' ? ordered(answer) : after;
}

async function findOrder(
  books: SdkvendorBooks,
  { receipt, amount }: OrderBody,
): Promise<Answer<FoundOrder, PaymentFailureCode>> {
  const all = ordered(await books.ordersOf(receipt));
  if (all.kind !== 'yes') return all;
  const found = oldest(all.value);
  if (!found) return { kind: 'not_found' };
  if (found.amount !== amount) return notUnderstood('the order has another amount');
  books.keep(found);
  return { kind: 'yes', value: { order: found, before: true } };
}
