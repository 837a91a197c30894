import type { PaymentFailureCode } from '@fundrail/contracts';
import { noticeKey } from '../mandate-ports.ts';
import type {
  AuthorisationStatus,
  DebitNotice,
  MandateCallback,
  MandateRegistration,
  MandateState,
  ProviderDebit,
  ProviderMandate,
  ProviderMandates,
  ProviderNotice,
} from '../mandate-ports.ts';
import { MANDATE_URI_CODES } from '../mandate-uri.ts';
import { mapYes, type Answer, type CallbackHeaders } from '../answer.ts';
import type { ProviderPaymentStatus } from '../provider-payment.ts';
import { readMandateCallback } from './callback.ts';
import type { GatewaypoaClient } from './client.ts';
import type { GatewaypoaOptions } from './gatewaypoa-orders.adapter.ts';
import {
  askedOf,
  endedOf,
  executionOf,
  fromDebit,
  fromNotice,
  fromRegistration,
  mandateUriOf,
  toAuthorisationStatus,
  toDebitStatus,
  toMandateState,
  toMandateTerms,
  toNotice,
  withdrawnOf,
} from './mandate-transform.ts';
import { authorisationObject, debitObject, mandateObject, noticeObject } from './mandate-wire.ts';
import { answerAbout, answerOf, withPaymentFailureCode } from './transform.ts';
import { route } from '../route.ts';

/** gatewaypoa's mandates and debits (GATE-2). Each reference is its call's idempotency key; gatewaypoa has no checkout. */
export class GatewaypoaMandates implements ProviderMandates {
  readonly checkout = null;
  /** It has no page of a bank, where an e-mandate is authorised (MAN-21). */
  readonly types = ['UPI'] as const;
  readonly chargesOneRupee = false;
  readonly mayDebitTwice = false;

  constructor(
    private readonly client: GatewaypoaClient,
    private readonly options: Pick<GatewaypoaOptions, 'webhookSecret' | 'now' | 'mandateUri'>,
  ) {}

  async authoriseByUri(
    registration: MandateRegistration,
  ): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>> {
    const answer = await this.client.post(
      route`/mandates/authorisations`,
      registration.reference,
      this.request(registration),
    );
    return mandateUriOf(
      withPaymentFailureCode(answerAbout({ reference: registration.reference }, answer, authorisationObject)),
      registration,
    );
  }

  async authoriseByCollect(
    registration: MandateRegistration,
    vpa: string,
  ): Promise<Answer<null, PaymentFailureCode>> {
    const body = { ...this.request(registration), vpa };
    const answer = await this.client.post(
      route`/mandates/authorisations/collect`,
      registration.reference,
      body,
    );
    return askedOf(
      withPaymentFailureCode(answerAbout({ reference: registration.reference }, answer, authorisationObject)),
    );
  }

  async authorisationStatus(reference: string): Promise<Answer<AuthorisationStatus, PaymentFailureCode>> {
    const answer = await this.client.get(route`/mandates/authorisations/${reference}`);
    return mapYes(
      withPaymentFailureCode(answerAbout({ reference }, answer, authorisationObject)),
      toAuthorisationStatus,
    );
  }

  async cancelAuthorisation(reference: string): Promise<Answer<null>> {
    const path = route`/mandates/authorisations/${reference}/cancel`;
    return withdrawnOf(
      answerAbout({ reference }, await this.client.post(path, reference, {}), authorisationObject),
    );
  }

  async revoke({ mandate_token }: ProviderMandate, reference: string): Promise<Answer<null>> {
    const path = route`/mandates/${mandate_token}/revoke`;
    return endedOf(
      answerAbout({ mandate_token }, await this.client.post(path, reference, {}), mandateObject),
    );
  }

  async mandateStatus({ mandate_token }: ProviderMandate): Promise<Answer<MandateState>> {
    const answer = await this.client.get(route`/mandates/${mandate_token}`);
    return mapYes(answerAbout({ mandate_token }, answer, mandateObject), (wire) => ({
      status: toMandateState(wire),
      terms: toMandateTerms(wire),
    }));
  }

  async notifyDebit(asked: ProviderNotice): Promise<Answer<DebitNotice, PaymentFailureCode>> {
    const answer = await this.client.post(route`/debits/notices`, noticeKey(asked), fromNotice(asked));
    const noticed = withPaymentFailureCode(answerOf(answer, noticeObject));
    return noticed.kind === 'yes' ? toNotice(noticed.value) : noticed;
  }

  /** gatewaypoa knows a notice by its own id and by ours. */
  async withdrawNotice(debit: ProviderDebit): Promise<Answer<null>> {
    const name = debit.notice_reference ?? noticeKey(debit);
    const path = route`/debits/notices/${name}/withdraw`;
    return mapYes(answerOf(await this.client.post(path, debit.reference, {}), noticeObject), () => null);
  }

  async executeDebit(debit: ProviderDebit): Promise<Answer<null, PaymentFailureCode>> {
    const answer = await this.client.post(route`/debits`, debit.reference, fromDebit(debit));
    return executionOf(
      withPaymentFailureCode(
        answerAbout(
          { reference: debit.reference, payment_reference: debit.payment_reference },
          answer,
          debitObject,
        ),
      ),
    );
  }

  async debitStatus({
    reference,
    payment_reference,
  }: ProviderDebit): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>> {
    const answer = await this.client.get(route`/debits/${reference}`);
    return mapYes(
      withPaymentFailureCode(answerAbout({ reference, payment_reference }, answer, debitObject)),
      toDebitStatus,
    );
  }

  async readMandateCallback(headers: CallbackHeaders, rawBody: string): Promise<MandateCallback> {
    return Promise.resolve(readMandateCallback(this.options, headers, rawBody));
  }

  private request(registration: MandateRegistration): object {
    return fromRegistration(registration, this.options.mandateUri ?? MANDATE_URI_CODES);
  }
}
