import { Decimal } from '@fundrail/contracts';
import type { z } from 'zod';
import type {
  BookedCapture,
  BookedOrder,
  BookedRefund,
  BookedTransfer,
  BookPage,
  BookQuery,
  ProviderBooks,
} from '../book-ports.ts';
import { mapYes, type Answer } from '../answer.ts';
import { route, type Route } from '../route.ts';
import type { GatewaypoaClient } from './client.ts';
import { answerOf, toOrderStatus, toPaymentStatus, toRefundStatus, toTransferStatus } from './transform.ts';
import { orderBook, paymentBook, refundBook, transferBook } from './wire.ts';

/** gatewaypoa's lists, in pages of 100. */
export class GatewaypoaBooks implements ProviderBooks {
  constructor(private readonly client: GatewaypoaClient) {}

  async orders(query: BookQuery): Promise<Answer<BookPage<BookedOrder>>> {
    return mapYes(await this.list(route`/orders`, query, orderBook), ({ items, next }) => ({
      next,
      entries: items.map((item) => ({
        reference: item.reference,
        amount: item.amount_paise === null ? null : Decimal.ofPaise(item.amount_paise),
        status: toOrderStatus(item),
      })),
    }));
  }

  async captures(query: BookQuery): Promise<Answer<BookPage<BookedCapture>>> {
    return mapYes(await this.list(route`/payments`, query, paymentBook), ({ items, next }) => ({
      next,
      entries: items.flatMap((item) => {
        const status = toPaymentStatus(item);
        if (status.status !== 'captured') return [];
        return [status, ...(status.others ?? [])].map(({ provider_reference, amount, currency }) => ({
          ...{ reference: item.reference, provider_reference, amount, currency },
        }));
      }),
    }));
  }

  async refunds(query: BookQuery): Promise<Answer<BookPage<BookedRefund>>> {
    return mapYes(await this.list(route`/refunds`, query, refundBook), ({ items, next }) => ({
      next,
      entries: items.map(({ reference, amount_paise, refund }) => ({
        reference,
        provider_reference: reference,
        amount: Decimal.ofPaise(amount_paise),
        status: toRefundStatus(refund).status,
      })),
    }));
  }

  async transfers(query: BookQuery): Promise<Answer<BookPage<BookedTransfer>>> {
    return mapYes(await this.list(route`/transfers`, query, transferBook), ({ items, next }) => ({
      next,
      entries: items.map(({ reference, payment_reference, amount_paise, transfer }) => ({
        reference,
        payment_reference,
        amount: Decimal.ofPaise(amount_paise),
        status: toTransferStatus(transfer).status,
      })),
    }));
  }

  private async list<S extends z.ZodType>(
    { path, template }: Route,
    { from, to, cursor }: BookQuery,
    schema: S,
  ): Promise<Answer<z.output<S>>> {
    const query = new URLSearchParams({
      from: from.toISOString(),
      to: to.toISOString(),
      ...(cursor !== null && { after: cursor }),
    });
    return answerOf(await this.client.get({ path: `${path}?${query.toString()}`, template }), schema);
  }
}
