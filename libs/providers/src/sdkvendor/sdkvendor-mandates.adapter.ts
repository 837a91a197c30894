import { MANDATE_TYPES, type PaymentFailureCode } from '@fundrail/contracts';
import type {
  AuthorisationStatus,
  MandateRegistration,
  MandateState,
  ProviderMandate,
  ProviderMandates,
} from '../mandate-ports.ts';
import { mandateUriFault } from '../mandate-uri.ts';
import { mapYes, notUnderstood, type Answer } from '../answer.ts';
import type { SdkvendorBooks } from './books.ts';
import type { SdkvendorClient } from './client.ts';
import { SdkvendorDebits } from './debits.ts';
import { SdkvendorMandateCheckout, type FoundAuthorisation, type SdkvendorKey } from './mandate-checkout.ts';
import {
  authorisedAttempts,
  decidingAttempt,
  fromAuthorisationAttempt,
  hasEnded,
  stateOf,
  surplusOf,
  cancellationPath,
  tokenPath,
  withoutToken,
  withToken,
} from './mandate-transform.ts';
import { cancelledToken, deletedToken } from './mandate-wire.ts';
import { answerOf, started } from './transform.ts';
import { startedMandateIntent, startedUpi, type Payment } from './wire.ts';
import { route } from '../route.ts';

// As for payments (TIME-3), and Razorpay's minimum.
const COLLECT_MINUTES = 5;
const DONE = { kind: 'yes', value: null } as const;

/**
 * Razorpay's recurring payments (MAN-15): a mandate is a token of a customer, authorised by a payment under an order that
 * requests it. Debits are inherited: each is a payment under its own order.
 */
export class SdkvendorMandates extends SdkvendorDebits implements ProviderMandates {
  readonly types = MANDATE_TYPES;
  /** A payment of one rupee, the minimum of UPI, registers a token. */
  readonly chargesOneRupee = true;
  readonly checkout: SdkvendorMandateCheckout;

  constructor(
    client: SdkvendorClient,
    books: SdkvendorBooks,
    private readonly key: SdkvendorKey,
  ) {
    super(client, books);
    this.checkout = new SdkvendorMandateCheckout(client, books, key);
  }

  async authoriseByUri(
    registration: MandateRegistration,
  ): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>> {
    const found = await this.checkout.findOrCreate(registration);
    if (found.kind !== 'yes') return found;
    const body = { ...this.attempt(registration, found.value), upi: { flow: 'intent' } };
    const answer = started(
      answerOf(await this.client.post(route`/payments/create/upi`, body), startedMandateIntent),
    );
    if (answer.kind !== 'yes') return answer;
    const fault = mandateUriFault(answer.value.link, registration, { drawsTr: true });
    return fault ? notUnderstood(`the URI ${fault}`) : { kind: 'yes', value: { uri: answer.value.link } };
  }

  /** An attempt has no idempotency key: under an existing order, an attempt that is open or was answered counts. */
  async authoriseByCollect(
    registration: MandateRegistration,
    vpa: string,
  ): Promise<Answer<null, PaymentFailureCode>> {
    const found = await this.checkout.findOrCreate(registration);
    if (found.kind !== 'yes') return found;
    const { order, before } = found.value;
    const attempts = before ? await this.books.attemptsUnder([order]) : ({ kind: 'yes', value: [] } as const);
    if (attempts.kind === 'no') return notUnderstood(attempts.message);
    if (attempts.kind !== 'yes') return attempts;
    const made = decidingAttempt(attempts.value);
    if (made) return collected(withoutToken(made));
    const upi = { flow: 'collect', vpa, expiry_time: COLLECT_MINUTES };
    const body = { ...this.attempt(registration, found.value), upi };
    return mapYes(
      started(answerOf(await this.client.post(route`/payments/create/upi`, body), startedUpi)),
      () => null,
    );
  }

  async authorisationStatus(reference: string): Promise<Answer<AuthorisationStatus, PaymentFailureCode>> {
    const attempts = await this.books.attemptsOf(reference);
    if (attempts.kind === 'no') return notUnderstood(attempts.message);
    if (attempts.kind !== 'yes') return attempts;
    const authorised = authorisedAttempts(attempts.value);
    if (authorised.length === 0) return { kind: 'yes', value: withoutToken(decidingAttempt(attempts.value)) };
    return this.authorisedByOneOf(authorised);
  }

  /** The first attempt that the bank has approved counts, and the others' mandates are surplus; else the first that it has not refused. */
  private async authorisedByOneOf(
    authorised: readonly Payment[],
  ): Promise<Answer<AuthorisationStatus, PaymentFailureCode>> {
    let known: AuthorisationStatus = { status: 'waiting' };
    for (const attempt of authorised) {
      const answer = await this.authorisedBy(attempt);
      if (answer.kind !== 'yes') return answer;
      const { value } = answer;
      if (value.status === 'approved') {
        const others = surplusOf(authorised, value.mandate_token);
        return { kind: 'yes', value: others.length > 0 ? { ...value, others } : value };
      }
      if (known.status === 'waiting' || known.status === 'rejected') known = value;
    }
    return { kind: 'yes', value: known };
  }

  /** Razorpay has no cancellation: `yes` means that nothing was authorised so far. */
  async cancelAuthorisation(reference: string): Promise<Answer<null>> {
    const answer = await this.authorisationStatus(reference);
    if (answer.kind !== 'yes') return answer;
    const { status } = answer.value;
    if (status === 'waiting' || status === 'failed' || status === 'rejected') return DONE;
    return { kind: 'no', failure_code: 'already_authorised', message: 'The investor has authorised it' };
  }

  /** A UPI token is cancelled, an e-mandate's deleted. `yes` only when the token has ended: NPCI may be slow. */
  async revoke(mandate: ProviderMandate): Promise<Answer<null>> {
    const before = await this.tokens.of(mandate);
    if (before.kind !== 'yes') return before;
    if (before.value === null || hasEnded(before.value)) return DONE;
    const ending =
      mandate.mandate_type === 'UPI'
        ? answerOf(await this.client.put(cancellationPath(mandate)), cancelledToken)
        : answerOf(await this.client.delete(tokenPath(mandate)), deletedToken);
    if (ending.kind !== 'yes') return ending;
    const after = await this.tokens.of(mandate);
    if (after.kind !== 'yes') return after;
    return after.value === null || hasEnded(after.value)
      ? DONE
      : { kind: 'unknown', why: 'no_answer', detail: 'the token is being cancelled' };
  }

  async mandateStatus(mandate: ProviderMandate): Promise<Answer<MandateState>> {
    const found = await this.tokens.of(mandate);
    if (found.kind !== 'yes') return found;
    const status = found.value === null ? 'cancelled' : stateOf(found.value);
    return status === null
      ? notUnderstood('the token is between two states')
      : { kind: 'yes', value: { status } };
  }

  private attempt(registration: MandateRegistration, { order, customer_id }: FoundAuthorisation): object {
    const under = { order_id: order.id, customer_id };
    return fromAuthorisationAttempt(registration, under, this.key.server);
  }

  private async authorisedBy(attempt: Payment): Promise<Answer<AuthorisationStatus, PaymentFailureCode>> {
    const { token_id, customer_id } = attempt;
    if (!token_id || !customer_id) return notUnderstood('the payment names no token and customer');
    const mandate = {
      mandate_type: 'UPI',
      mandate_token: token_id,
      provider_id: customer_id,
      umrn: null,
    } as const;
    const found = await this.tokens.of(mandate);
    if (found.kind === 'no') return notUnderstood(found.message);
    if (found.kind !== 'yes') return found;
    if (found.value === null) return notUnderstood('the token has been deleted');
    return { kind: 'yes', value: withToken(attempt, found.value, customer_id) };
  }
}

function collected(status: AuthorisationStatus): Answer<null, PaymentFailureCode> {
  return status.status === 'failed'
    ? { kind: 'no', failure_code: status.failure_code, message: status.message }
    : DONE;
}
