import { istDate, istTimestamp, type Decimal, type PaymentFailureCode } from '@fundrail/contracts';
import type {
  AuthorisationStatus,
  MandateCallback,
  MandateRegistration,
  MandateState,
  PaymentCallback,
  PaymentProvider,
  ProviderCapture,
  ProviderDebit,
  ProviderPaymentStatus,
} from '@fundrail/providers';
import { noticeKey } from '@fundrail/providers';
import type { FakeClock } from '@fundrail/testing';
import { OutsideWorld, type Mood, type NoAnswer } from '../outside-world.ts';
import {
  emandateFault,
  HELPFUL,
  LEAST_NOTICE,
  MOST_ATTEMPTS,
  windowOf,
} from './debit-policy-of-the-contract.ts';
import { CallBook } from './call-book.ts';

/** The moods of the payments model, and: `slow` is a time-out after which the call is executed all the same, `busy` is a 429. */
export type MandateMood = Mood | 'slow' | 'busy';
const TIME_OUT = { kind: 'unknown', why: 'no_answer', detail: 'time-out' } as const;
const TOO_MANY = { kind: 'unknown', why: 'too_many_requests', detail: '429', retry_after_ms: 1 } as const;

export type ProviderName = PaymentProvider['name'];

/** An authorisation that an investor was asked for, and its result. */
export interface Asked {
  readonly registration: MandateRegistration;
  readonly provider: ProviderName;
  status: AuthorisationStatus;
}

/** A mandate as the provider has it. */
export interface Token {
  readonly token: string;
  readonly provider: ProviderName;
  readonly registration: MandateRegistration;
  state: MandateState['status'];
  /** The state that was last reported and accepted (200). */
  reported?: MandateState['status'];
}

/** A notice to the investor about a debit. */
interface Notice {
  readonly at: Date;
  readonly amount: Decimal;
  readonly execute_at: Date;
  readonly debit: ProviderDebit;
  withdrawn: boolean;
  /** The provider has reported that it did not reach the investor. */
  failed: boolean;
}

/** An attempt that the provider has received. */
export interface Attempt {
  readonly debit: ProviderDebit;
  readonly provider: ProviderName;
  readonly at: Date;
  /** How many times the call was executed: more than once if the same call is repeated. */
  worked: number;
  readonly captures: ProviderCapture[];
  failure: PaymentFailureCode | null;
}

/** A report of the provider. It may be sent late, twice, or in another order, but it is sent in the end. */
export interface ProviderReport {
  readonly provider: ProviderName;
  readonly path: string;
  readonly callback: PaymentCallback | MandateCallback;
  readonly onReceived: () => void;
  isReported: boolean;
}

/** Both providers, the banks and the investor: their state, and a check of the rules at each call. */
export class MandatesWorld extends OutsideWorld {
  book = new CallBook();
  readonly asked = new Map<string, Asked>();
  readonly tokens = new Map<string, Token>();
  /** By our own key of the notice. */
  readonly notices = new Map<string, Notice>();
  readonly attempts = new Map<string, Attempt>();
  readonly reports: ProviderReport[] = [];
  /** When mandates admitted a payment's debit. */
  readonly admissions = new Map<number, Date>();
  /** Calls time out here, but are executed there a little later. */
  isSlow = false;
  /** It accepts no calls at the moment (429). */
  isBusy = false;
  /** The failure of the next notice or execution. */
  refusal: PaymentFailureCode | null = null;
  private slow: (() => void)[] = [];
  /** Attempts that timed out here and will arrive. */
  readonly onTheWay = new Set<string>();
  /** Attempts that were sent, without a later answer that they are unknown. */
  private readonly sent = new Set<string>();
  /** When a debit was first executed, by the payment's reference, whether or not that call arrived: its retries count from there. */
  private readonly firstExecuted = new Map<string, Date>();

  constructor(private readonly clock: FakeClock) {
    super();
  }

  get now(): Date {
    return this.clock.now();
  }

  /** Descriptions of broken rules. */
  get broken(): readonly string[] {
    return this.book.broken;
  }

  /** A new world, for the next sequence. */
  clear(): void {
    this.book = new CallBook();
    const maps = [this.accounts, this.transfers, this.orders, this.asked, this.tokens, this.notices];
    for (const map of [...maps, this.attempts, this.admissions, this.firstExecuted]) map.clear();
    this.reports.length = 0;
    this.slow = [];
    this.onTheWay.clear();
    this.sent.clear();
    this.beWell();
  }

  /** All systems answer immediately. */
  beWell(): void {
    this.mood = 'well';
    this.isSlow = false;
    this.isBusy = false;
    this.refusal = null;
  }

  /** Sets how the outside systems answer from now on. */
  become(mood: MandateMood): void {
    this.isSlow = mood === 'slow';
    this.isBusy = mood === 'busy';
    this.mood = mood === 'slow' || mood === 'busy' ? 'well' : mood;
  }

  override answer<T>(act: () => T): Promise<T | NoAnswer> {
    if (this.isBusy) return Promise.resolve(TOO_MANY);
    if (!this.isSlow) return super.answer(act);
    this.slow.push(() => void act());
    return Promise.resolve(TIME_OUT);
  }

  /** Executes the slow calls. */
  catchUp(): void {
    this.isSlow = false;
    for (const act of this.slow.splice(0)) act();
  }

  attemptsOf(payment_reference: string): Attempt[] {
    return [...this.attempts.values()].filter(({ debit }) => debit.payment_reference === payment_reference);
  }

  statusOfAttempt({ captures: [first, ...others], failure }: Attempt): ProviderPaymentStatus {
    if (first) return { status: 'captured', ...first, ...(others.length > 0 ? { others } : {}) };
    return failure ? { status: 'failed', failure_code: failure, message: '' } : { status: 'waiting' };
  }

  report(
    report: Omit<ProviderReport, 'isReported' | 'onReceived'> & { readonly onReceived?: () => void },
  ): void {
    this.reports.push({ onReceived: () => undefined, ...report, isReported: false });
  }

  /** The notice's rules (DEB-8): for Autopay, within the limit, at least 24 hours ahead. */
  checkNotice(debit: ProviderDebit): void {
    const known = this.notices.get(noticeKey(debit));
    if (known && !known.amount.equals(debit.amount))
      this.complain(debit, 'is notified again with another amount');
    if (!known && debit.execute_at.getTime() - this.now.getTime() < LEAST_NOTICE)
      this.complain(debit, `is notified less than 24 hours before ${istTimestamp(debit.execute_at)}`);
    this.checkMandate(debit, false);
  }

  /** An answer of the provider has arrived that it does not know the attempt: it may be sent again. */
  allowResend(reference: string): void {
    this.sent.delete(reference);
  }

  /** The execution's rules. A repeated call has no second effect. */
  checkExecution(debit: ProviderDebit): void {
    const token = this.tokens.get(debit.mandate.mandate_token);
    if (token) {
      const { mandate_id } = token.registration;
      this.book.use({ mandate_id, payment_id: debit.payment_id, attempt: debit.attempt });
    }
    if (this.sent.has(debit.reference))
      this.complain(debit, 'is sent again without a query whether it arrived');
    if (!this.isBusy) this.sent.add(debit.reference);
    if (this.attempts.has(debit.reference)) return;
    this.checkMandate(debit, true);
    this.checkTries(debit);
    if (debit.mandate.mandate_type === 'UPI') this.checkAutopay(debit);
    else this.checkEmandate(debit);
    const { payment_reference } = debit;
    if (!this.isBusy && !this.firstExecuted.has(payment_reference))
      this.firstExecuted.set(payment_reference, this.now);
  }

  private checkMandate(debit: ProviderDebit, isExecuted: boolean): void {
    const token = this.tokens.get(debit.mandate.mandate_token);
    if (!token) return this.complain(debit, 'is of a mandate that was never authorised');
    const { limit, valid_from, valid_to } = token.registration;
    if (debit.amount.compare(limit) > 0) this.complain(debit, `is above the limit of ${limit.toFixed2()}`);
    const today = istDate(this.now);
    if (today > valid_to || (isExecuted && today < valid_from))
      this.complain(debit, `is outside of the validity ${valid_from} to ${valid_to}`);
  }

  private checkTries(debit: ProviderDebit): void {
    if (debit.attempt > MOST_ATTEMPTS) this.complain(debit, 'is one attempt too many');
    const earlier = this.attemptsOf(debit.payment_reference).filter(
      (one) => one.debit.attempt !== debit.attempt,
    );
    for (const { debit: other, failure } of earlier) {
      if (other.attempt > debit.attempt) this.complain(debit, `comes after attempt ${other.attempt}`);
      if (failure === null) this.complain(debit, `is made while attempt ${other.attempt} is open`);
      else if (!HELPFUL.has(failure)) this.complain(debit, `is made after ${failure}`);
    }
    for (const reference of this.onTheWay)
      if (reference !== debit.reference && reference.startsWith(`${debit.payment_reference}A`))
        this.complain(debit, `is made while ${reference} is on its way`);
    for (const reference of this.sent)
      if (reference.startsWith(`${debit.payment_reference}A`) && !this.attempts.has(reference))
        if (reference !== debit.reference)
          this.complain(debit, `is made while the outcome of ${reference} is unknown`);
  }

  private checkAutopay(debit: ProviderDebit): void {
    const notice = this.notices.get(noticeKey(debit));
    if (!notice) return this.complain(debit, 'has no notice');
    if (this.now.getTime() - notice.at.getTime() < LEAST_NOTICE)
      this.complain(debit, 'is made within 24 hours of its notice');
    if (this.now < notice.execute_at) this.complain(debit, 'is made before the time in the notice');
    if (debit.attempt === 1 && istDate(this.now) !== istDate(notice.execute_at))
      this.complain(
        debit,
        `is made on another day than ${istDate(notice.execute_at)}, the day in its notice`,
      );
    if (!notice.amount.equals(debit.amount)) this.complain(debit, 'is of another amount than its notice');
    if (notice.withdrawn) this.complain(debit, 'is made on a notice that was taken back');
    if (notice.failed) this.complain(debit, 'is made on a notice that did not arrive');
    const window = windowOf(this.now);
    if (window === null) this.complain(debit, 'is made in the peak hours');
    const last = this.attemptsOf(debit.payment_reference).at(-1);
    if (last && windowOf(last.at) === window) this.complain(debit, 'is made again in the same window');
  }

  private checkEmandate(debit: ProviderDebit): void {
    const admitted = this.admissions.get(debit.payment_id);
    if (!admitted) return this.complain(debit, 'was never admitted');
    const fault = emandateFault(this.now, admitted, this.firstExecuted.get(debit.payment_reference) ?? null);
    if (fault) this.complain(debit, `is made ${fault}`);
  }

  private complain({ reference }: ProviderDebit, what: string): void {
    this.book.broken.push(`${reference} at ${istTimestamp(this.now)} ${what}`);
  }
}
