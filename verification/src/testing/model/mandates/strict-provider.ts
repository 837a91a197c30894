import { MANDATE_TYPES, type PaymentFailureCode, type ProviderName } from '@fundrail/contracts';
import { MANDATE_URI_CODES, mandateUri, noticeKey } from '@fundrail/providers';
import type {
  Answer,
  CallbackHeaders,
  DebitNotice,
  MandateCallback,
  MandateCheckout,
  MandateCheckoutOrder,
  MandateRegistration,
  MandateState,
  PaymentCallback,
  ProviderDebit,
  ProviderMandate,
  ProviderMandates,
  ProviderPaymentStatus,
} from '@fundrail/providers';
import { NOT_FOUND, yes } from '@fundrail/testing';
import { PlayedProvider } from '../outside-world.ts';
import type { Asked, MandatesWorld, ProviderReport } from './mandates-world.ts';

const no = (failure_code: PaymentFailureCode) => ({ kind: 'no', failure_code, message: '' }) as const;

/** A provider that checks each call against the rules, and records the calls. Callbacks contain the number of a report. */
export class StrictProvider extends PlayedProvider {
  override readonly mandates: StrictMandates;

  constructor(
    name: ProviderName,
    private readonly mandatesWorld: MandatesWorld,
  ) {
    super(name, mandatesWorld);
    this.mandates = new StrictMandates(name, mandatesWorld);
  }

  override readCallback(_: CallbackHeaders, rawBody: string): Promise<PaymentCallback> {
    const { callback } = reportOf(this.mandatesWorld, rawBody);
    if (!('reference' in callback)) throw new Error('it is about a mandate');
    return Promise.resolve(callback);
  }
}

function reportOf(world: MandatesWorld, rawBody: string): ProviderReport {
  const report = world.reports[Number(/^\{"report":(\d+)\}$/.exec(rawBody)?.[1])];
  if (!report) throw new Error(`there is no report ${rawBody}`);
  return report;
}

class StrictMandates implements ProviderMandates {
  readonly types = MANDATE_TYPES;
  readonly chargesOneRupee = false;
  readonly checkout: MandateCheckout | null;
  /** Like Razorpay, which has no idempotency key for a debit. */
  readonly mayDebitTwice: boolean;

  constructor(
    private readonly name: ProviderName,
    private readonly world: MandatesWorld,
  ) {
    this.mayDebitTwice = name === 'SDKVENDOR';
    this.checkout = name === 'SDKVENDOR' ? this.ownCheckout() : null;
  }

  authoriseByUri(registration: MandateRegistration) {
    return this.world.answer(() => {
      this.register(registration);
      const { reference, limit, valid_from, valid_to, mandate_ref } = registration;
      const uri = mandateUri({
        ...MANDATE_URI_CODES,
        ...{ payee_vpa: 'op@bank', payee_name: 'Operator', mandate_name: mandate_ref, reference },
        ...{ limit: limit.toFixed2(), valid_from, valid_to, merchant_category: '6211', note: 'x' },
      });
      return yes({ uri });
    });
  }

  authoriseByCollect(registration: MandateRegistration): Promise<Answer<null, PaymentFailureCode>> {
    return this.world.answer(() => {
      this.register(registration);
      return yes(null);
    });
  }

  authorisationStatus(reference: string) {
    const { world } = this;
    return world.answer(() => {
      const asked = world.asked.get(reference);
      return asked ? yes(asked.status) : NOT_FOUND;
    });
  }

  /** SDKVENDOR has no cancellation: the investor may still approve later. */
  cancelAuthorisation(reference: string): Promise<Answer<null>> {
    const { world } = this;
    return world.answer(() => {
      const asked = world.asked.get(reference);
      if (!asked) return NOT_FOUND;
      if (asked.status.status === 'waiting' && this.name === 'GATEWAYPOA')
        asked.status = { status: 'failed', failure_code: 'user_cancelled', message: '' };
      const isTaken = ['received', 'submitted', 'approved'].includes(asked.status.status);
      return isTaken ? { kind: 'no', failure_code: 'already_authorised', message: '' } : yes(null);
    });
  }

  revoke({ mandate_token }: ProviderMandate): Promise<Answer<null>> {
    const { world } = this;
    return world.answer(() => {
      const token = world.tokens.get(mandate_token);
      if (!token) return NOT_FOUND;
      if (token.state === 'active' || token.state === 'paused') token.state = 'cancelled';
      return yes(null);
    });
  }

  mandateStatus({ mandate_token }: ProviderMandate): Promise<Answer<MandateState>> {
    const { world } = this;
    return world.answer(() => {
      const token = world.tokens.get(mandate_token);
      return token ? yes({ status: token.state }) : NOT_FOUND;
    });
  }

  notifyDebit(debit: ProviderDebit): Promise<Answer<DebitNotice, PaymentFailureCode>> {
    const { world } = this;
    world.checkNotice(debit);
    return world.answer(() => {
      const { notices, now } = world;
      const refusal = this.refusalOf(debit);
      if (refusal) return no(refusal);
      const { amount, execute_at } = debit;
      const key = noticeKey(debit);
      // A repeated notice is the same notice, and the investor reads it once.
      const notice = notices.get(key) ?? {
        ...{ at: now, amount, execute_at, debit },
        ...{ withdrawn: false, failed: false },
      };
      notices.set(key, notice);
      return yes({
        ...{ notice_reference: `notice${key}`, proof: `notified at ${notice.at.toISOString()}` },
        ...{ amount: notice.amount, execute_at: notice.execute_at, sent_at: notice.at },
      });
    });
  }

  withdrawNotice(debit: ProviderDebit): Promise<Answer<null>> {
    const { world } = this;
    return world.answer(() => {
      const notice = world.notices.get(noticeKey(debit));
      if (!notice) return NOT_FOUND;
      if (world.attemptsOf(debit.payment_reference).length > 0)
        return { kind: 'no', failure_code: 'already_executed', message: '' };
      notice.withdrawn = true;
      return yes(null);
    });
  }

  executeDebit(debit: ProviderDebit): Promise<Answer<null, PaymentFailureCode>> {
    const { world } = this;
    world.checkExecution(debit);
    if (world.isSlow) world.onTheWay.add(debit.reference);
    return world.answer(() => this.execute(debit));
  }

  async debitStatus({
    reference,
  }: ProviderDebit): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>> {
    const { world } = this;
    const answer = await world.answer(() => {
      const attempt = world.attempts.get(reference);
      return attempt ? yes(world.statusOfAttempt(attempt)) : NOT_FOUND;
    });
    if (answer.kind === 'not_found') world.allowResend(reference);
    return answer;
  }

  readMandateCallback(_: CallbackHeaders, rawBody: string): Promise<MandateCallback> {
    const { callback } = reportOf(this.world, rawBody);
    if (!('mandate_token' in callback)) throw new Error('it is about a payment');
    return Promise.resolve(callback);
  }

  private execute(debit: ProviderDebit): Answer<null, PaymentFailureCode> {
    const { world } = this;
    const { reference, payment_reference, amount } = debit;
    world.onTheWay.delete(reference);
    const known = world.attempts.get(reference);
    if (known && this.mayDebitTwice) known.worked += 1;
    if (known) return yes(null);
    if (!world.accounts.has(payment_reference))
      world.accounts.set(payment_reference, { captures: [], refunds: new Map(), amount, failed: null });
    const failure = this.refusalOf(debit);
    world.attempts.set(reference, {
      debit,
      provider: this.name,
      at: world.now,
      worked: 1,
      captures: [],
      failure,
    });
    return failure ? no(failure) : yes(null);
  }

  private refusalOf({ mandate }: ProviderDebit): PaymentFailureCode | null {
    const { world } = this;
    const { refusal } = world;
    world.refusal = null;
    return world.tokens.get(mandate.mandate_token)?.state === 'active' ? refusal : 'mandate_cancelled';
  }

  private register(registration: MandateRegistration): Asked {
    const { asked } = this.world;
    const known = asked.get(registration.reference);
    const one = known ?? { registration, provider: this.name, status: { status: 'waiting' } };
    asked.set(registration.reference, one);
    return one;
  }

  private ownCheckout(): MandateCheckout {
    return {
      keyId: 'key_model',
      open: (registration): Promise<Answer<MandateCheckoutOrder, PaymentFailureCode>> =>
        this.world.answer(() => {
          this.register(registration);
          return yes({ order_id: `order_${registration.reference}`, customer_id: 'cust_1' });
        }),
      isSigned: () => true,
      startEmandate: () => Promise.reject(new Error('no page is opened here')),
    };
  }
}
