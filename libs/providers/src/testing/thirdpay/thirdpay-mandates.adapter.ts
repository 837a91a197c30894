import type { PaymentFailureCode } from '@fundrail/contracts';
import { mapYes, notUnderstood, type Answer } from '../../answer.ts';
import { noticeKey } from '../../mandate-ports.ts';
import type {
  AuthorisationStatus,
  DebitNotice,
  MandateRegistration,
  MandateState,
  ProviderDebit,
  ProviderMandate,
  ProviderMandates,
  ProviderNotice,
} from '../../mandate-ports.ts';
import { mandateUriFault } from '../../mandate-uri.ts';
import type { ProviderPaymentStatus } from '../../provider-payment.ts';
import { route } from '../../route.ts';
import type { ThirdpayClient } from './thirdpay-client.ts';
import {
  answerOf,
  inItsWords,
  toAuthorisationStatus,
  toMandateState,
  toNotice,
  toPaymentStatus,
} from './transform.ts';
import { charge, notice, standing, token, type Standing } from './wire.ts';

/** Mandates of thirdpay are its standings, which may be of UPI only. */
export class ThirdpayMandates implements ProviderMandates {
  readonly types = ['UPI'] as const;
  readonly chargesOneRupee = false;
  readonly checkout = null;
  readonly mayDebitTwice = false;

  constructor(private readonly client: ThirdpayClient) {}

  async authoriseByUri(
    registration: MandateRegistration,
  ): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>> {
    const answer = await this.begin(registration, {});
    if (answer.kind !== 'yes') return answer;
    const uri = answer.value.link ?? '';
    const fault = mandateUriFault(uri, registration);
    return fault ? notUnderstood(`the link ${fault}`) : { kind: 'yes', value: { uri } };
  }

  async authoriseByCollect(
    registration: MandateRegistration,
    vpa: string,
  ): Promise<Answer<null, PaymentFailureCode>> {
    return mapYes(await this.begin(registration, { vpa }), () => null);
  }

  async authorisationStatus(reference: string): Promise<Answer<AuthorisationStatus, PaymentFailureCode>> {
    const answer = await this.client.get(route`/standings/${reference}`);
    return mapYes(answerOf(answer, standing), toAuthorisationStatus);
  }

  async cancelAuthorisation(reference: string): Promise<Answer<null>> {
    const answer = await this.client.post(route`/standings/${reference}/void`, {});
    return inItsWords(answerOf(answer, standing));
  }

  async revoke({ mandate_token }: ProviderMandate): Promise<Answer<null>> {
    return inItsWords(answerOf(await this.client.post(route`/tokens/${mandate_token}/end`, {}), token));
  }

  async mandateStatus({ mandate_token }: ProviderMandate): Promise<Answer<MandateState>> {
    const answer = answerOf(await this.client.get(route`/tokens/${mandate_token}`), token);
    return mapYes(answer, (wire) => ({ status: toMandateState(wire) }));
  }

  async notifyDebit(debit: ProviderNotice): Promise<Answer<DebitNotice, PaymentFailureCode>> {
    const path = route`/tokens/${debit.mandate.mandate_token}/notices/${noticeKey(debit)}`;
    const words = [debit.merchant, debit.mandate_ref, debit.reason].join();
    const body = { rupees: debit.amount.toFixed2(), at: debit.execute_at.toISOString(), words };
    return mapYes(answerOf(await this.client.post(path, body), notice), toNotice);
  }

  async withdrawNotice(debit: ProviderDebit): Promise<Answer<null>> {
    const path = route`/tokens/${debit.mandate.mandate_token}/notices/${noticeKey(debit)}/void`;
    return inItsWords(answerOf(await this.client.post(path, {}), notice));
  }

  async executeDebit(debit: ProviderDebit): Promise<Answer<null, PaymentFailureCode>> {
    const { payment_reference, payment_id, notice_reference, amount } = debit;
    const notified = { notice: notice_reference ?? noticeKey(debit), rupees: amount.toFixed2() };
    const answer = await this.client.post(pathOf(debit), { payment_reference, payment_id, ...notified });
    return mapYes(answerOf(answer, charge), () => null);
  }

  async debitStatus(debit: ProviderDebit): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>> {
    return mapYes(answerOf(await this.client.get(pathOf(debit)), charge), toPaymentStatus);
  }

  private async begin(
    { reference, payment_id, mandate_id, limit, payee_name, valid_from, valid_to }: MandateRegistration,
    how: object,
  ): Promise<Answer<Standing, PaymentFailureCode>> {
    const terms = { rupees: limit.toFixed2(), payee: payee_name, from: valid_from, to: valid_to };
    const body = { payment_id, mandate_id, ...terms, ...how };
    return answerOf(await this.client.post(route`/standings/${reference}`, body), standing);
  }
}

function pathOf({ mandate, reference }: ProviderDebit) {
  return route`/tokens/${mandate.mandate_token}/debits/${reference}`;
}
