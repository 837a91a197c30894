import type { PaymentFailureCode } from '@fundrail/contracts';
import type { BookedTransfer, BookPage, BookQuery } from '../book-ports.ts';
import { mapYes, type Answer, type CallbackHeaders } from '../answer.ts';
import type { PaymentCallback, PaymentProvider, Transfer, TransferGateway } from '../ports.ts';
import type {
  ProviderPayment,
  ProviderPaymentStatus,
  ProviderRefund,
  RefundStatus,
  TransferStatus,
} from '../provider-payment.ts';
import { GatewaypoaBooks } from './books.ts';
import { readPaymentCallback } from './callback.ts';
import { GatewaypoaClient } from './client.ts';
import { GatewaypoaMandates } from './gatewaypoa-mandates.adapter.ts';
import type { GatewaypoaOptions } from './gatewaypoa-orders.adapter.ts';
import { SIGNATURE_HEADER } from './signature.ts';
import {
  answerAbout,
  collectOf,
  fromPayment,
  fromRefund,
  fromTransfer,
  toPaymentStatus,
  toRefundStatus,
  toTransferStatus,
  uriOf,
  voidOf,
  withPaymentFailureCode,
} from './transform.ts';
import { paymentObject, refundObject, transferObject } from './wire.ts';
import { route } from '../route.ts';

/** gatewaypoa as the payment provider for UPI and as the receiver of transfers (GATE-2). Each reference is its call's idempotency key. */
export class GatewaypoaPayments implements PaymentProvider, TransferGateway {
  readonly name = 'GATEWAYPOA';
  readonly signatureHeader = SIGNATURE_HEADER;
  readonly needsContact = false;
  readonly drawsTr = false;
  readonly checkout = null;
  readonly transferGateway = this;
  readonly mandates: GatewaypoaMandates;
  readonly books: GatewaypoaBooks;
  readonly #client: GatewaypoaClient;
  readonly #options: GatewaypoaOptions;

  constructor(options: GatewaypoaOptions) {
    this.#options = options;
    this.#client = new GatewaypoaClient(options);
    this.mandates = new GatewaypoaMandates(this.#client, options);
    this.books = new GatewaypoaBooks(this.#client);
  }

  async issueUpiUri(payment: ProviderPayment): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>> {
    const answer = await this.#client.post(route`/payments`, payment.reference, fromPayment(payment));
    return uriOf(
      withPaymentFailureCode(answerAbout({ reference: payment.reference }, answer, paymentObject)),
    );
  }

  async sendCollect(payment: ProviderPayment, vpa: string): Promise<Answer<null, PaymentFailureCode>> {
    const request = { ...fromPayment(payment), vpa };
    const answer = await this.#client.post(route`/payments/collect`, payment.reference, request);
    return collectOf(
      withPaymentFailureCode(answerAbout({ reference: payment.reference }, answer, paymentObject)),
    );
  }

  async paymentStatus(reference: string): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>> {
    const answer = await this.#client.get(route`/payments/${reference}`);
    return mapYes(withPaymentFailureCode(answerAbout({ reference }, answer, paymentObject)), toPaymentStatus);
  }

  async cancel(reference: string): Promise<Answer<null>> {
    const answer = await this.#client.post(route`/payments/${reference}/cancel`, reference, {});
    return voidOf(answerAbout({ reference }, answer, paymentObject));
  }

  async refund(refund: ProviderRefund): Promise<Answer<RefundStatus>> {
    const answer = await this.#client.post(route`/refunds`, refund.reference, fromRefund(refund));
    return mapYes(answerAbout({ reference: refund.reference }, answer, refundObject), toRefundStatus);
  }

  async refundStatus({ reference }: ProviderRefund): Promise<Answer<RefundStatus>> {
    const answer = await this.#client.get(route`/refunds/${reference}`);
    return mapYes(answerAbout({ reference }, answer, refundObject), toRefundStatus);
  }

  async transfer(transfer: Transfer): Promise<Answer<TransferStatus>> {
    const answer = await this.#client.post(route`/transfers`, transfer.reference, fromTransfer(transfer));
    return mapYes(answerAbout({ reference: transfer.reference }, answer, transferObject), toTransferStatus);
  }

  async transferStatus(reference: string): Promise<Answer<TransferStatus>> {
    const answer = await this.#client.get(route`/transfers/${reference}`);
    return mapYes(answerAbout({ reference }, answer, transferObject), toTransferStatus);
  }

  listTransfers(query: BookQuery): Promise<Answer<BookPage<BookedTransfer>>> {
    return this.books.transfers(query);
  }

  async readCallback(headers: CallbackHeaders, rawBody: string): Promise<PaymentCallback> {
    return Promise.resolve(readPaymentCallback(this.#options, headers, rawBody));
  }

  /** Waits for running calls and closes the connections. */
  close(): Promise<void> {
    return this.#client.close();
  }
}
