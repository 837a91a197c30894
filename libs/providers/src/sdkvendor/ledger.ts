import { Decimal } from '@fundrail/contracts';
import type { BookedCapture, BookedRefund, BookPage, BookQuery, ProviderBooks } from '../book-ports.ts';
import type { Answer } from '../answer.ts';
import { route } from '../route.ts';
import type { SdkvendorBooks } from './books.ts';
import type { SdkvendorClient } from './client.ts';
import { answerOf, isPaid, toRefundStatus } from './transform.ts';
import { payments, refunds, type Payment } from './wire.ts';

// The most that a list answers (razorpay.com/docs/api/payments/fetch-all-payments).
const COUNT = 100;

/** Razorpay's lists of payments and refunds, newest first; the cursor counts the skipped entries. */
export class SdkvendorLedger implements ProviderBooks {
  constructor(
    private readonly client: SdkvendorClient,
    private readonly books: SdkvendorBooks,
  ) {}

  async captures(query: BookQuery): Promise<Answer<BookPage<BookedCapture>>> {
    const page = answerOf(await this.client.get(route`/payments`, queryOf(query)), payments);
    if (page.kind !== 'yes') return page;
    const entries: BookedCapture[] = [];
    for (const item of page.value.items.filter(isPaid)) {
      const name = await this.nameOf(item);
      if (name.kind !== 'yes') return name;
      // An authorisation of a mandate may take a rupee, which Razorpay refunds automatically.
      if (name.value.about === 'authorisation') continue;
      const { id: provider_reference, amount, currency } = item;
      entries.push({
        reference: name.value.receipt,
        provider_reference,
        amount: Decimal.ofPaise(amount),
        currency,
      });
    }
    return { kind: 'yes', value: { entries, next: nextOf(query, page.value.items.length) } };
  }

  async refunds(query: BookQuery): Promise<Answer<BookPage<BookedRefund>>> {
    const page = answerOf(await this.client.get(route`/refunds`, queryOf(query)), refunds);
    if (page.kind !== 'yes') return page;
    const entries = page.value.items.map((item) => ({
      reference: item.receipt ?? null,
      provider_reference: item.id,
      amount: Decimal.ofPaise(item.amount),
      status: toRefundStatus(item).status,
    }));
    return { kind: 'yes', value: { entries, next: nextOf(query, page.value.items.length) } };
  }

  private async nameOf({
    order_id,
  }: Payment): Promise<Answer<{ readonly receipt: string | null; readonly about: string }>> {
    if (order_id === null) return { kind: 'yes', value: { receipt: null, about: 'payment' } };
    return this.books.nameOf(order_id);
  }
}

function queryOf({ from, to, cursor }: BookQuery): Record<string, string> {
  const seconds = (time: Date) => String(Math.floor(time.getTime() / 1000));
  return { from: seconds(from), to: seconds(to), count: String(COUNT), skip: cursor ?? '0' };
}

function nextOf({ cursor }: BookQuery, found: number): string | null {
  return found < COUNT ? null : String(Number(cursor ?? 0) + found);
}
