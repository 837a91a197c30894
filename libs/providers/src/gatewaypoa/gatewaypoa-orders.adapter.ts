import type { BookedOrder, BookPage, BookQuery } from '../book-ports.ts';
import { mapYes, type Answer, type CallbackHeaders } from '../answer.ts';
import type { GatewayOrder, GatewayOrderStatus, OrderCallback } from '../gateway-order.ts';
import type { OrderGateway } from '../ports.ts';
import type { MandateUriCodes } from '../mandate-uri.ts';
import { GatewaypoaBooks } from './books.ts';
import { readOrderCallback, type CallbackCheck } from './callback.ts';
import { GatewaypoaClient, type GatewaypoaClientOptions } from './client.ts';
import { answerAbout, fromOrder, submissionOf, toOrderStatus } from './transform.ts';
import { orderObject } from './wire.ts';
import { route } from '../route.ts';

export type GatewaypoaOptions = GatewaypoaClientOptions &
  CallbackCheck & {
    /** NPCI's codes in the mandate URIs that gatewaypoa creates; by default those of MAN-16. */
    readonly mandateUri?: MandateUriCodes;
  };

/** gatewaypoa as the order gateway (GATE-1). The order's id is the idempotency key of both calls. */
export class GatewaypoaOrders implements OrderGateway {
  readonly payouts = true;
  readonly #client: GatewaypoaClient;
  readonly #options: GatewaypoaOptions;

  constructor(options: GatewaypoaOptions) {
    this.#options = options;
    this.#client = new GatewaypoaClient(options);
  }

  async requestReview(order: GatewayOrder): Promise<Answer<null>> {
    const answer = await this.#client.post(route`/orders/review`, order.reference, fromOrder(order));
    return mapYes(answerAbout({ reference: order.reference }, answer, orderObject), () => null);
  }

  async submit(order: GatewayOrder): Promise<Answer<{ readonly order_reference: string }>> {
    const answer = await this.#client.post(route`/orders/submit`, order.reference, fromOrder(order));
    return submissionOf(answerAbout({ reference: order.reference }, answer, orderObject));
  }

  async status(reference: string): Promise<Answer<GatewayOrderStatus>> {
    const answer = await this.#client.get(route`/orders/${reference}`);
    return mapYes(answerAbout({ reference }, answer, orderObject), toOrderStatus);
  }

  listOrders(query: BookQuery): Promise<Answer<BookPage<BookedOrder>>> {
    return new GatewaypoaBooks(this.#client).orders(query);
  }

  readCallback(headers: CallbackHeaders, rawBody: string): OrderCallback {
    return readOrderCallback(this.#options, headers, rawBody);
  }

  /** Waits for running calls and closes the connections. */
  close(): Promise<void> {
    return this.#client.close();
  }
}
