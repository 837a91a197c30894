import { istDate, istTimestamp } from '@fundrail/contracts';
import type { Decimal, PaymentFailureCode } from '@fundrail/contracts';
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
import { OutsideWorld } from '../outside-world.ts';
import type { Mood, Unheard } from '../outside-world.ts';
import {
  emandateFault,
  HELPFUL,
  LEAST_NOTICE,
  MOST_ATTEMPTS,
  windowOf,
} from './debit-policy-of-the-contract.ts';
import { PermitBook } from './permit-book.ts';
import type { PermitAsked } from './permit-book.ts';

/** As payments know the outside, and: `slow` is a time-out after which it is done all the same, `busy` is a 429. */
export type MandateMood = Mood | 'slow' | 'busy';
const TIME_OUT = { kind: 'unknown', why: 'no_answer', detail: 'time-out' } as const;
const TOO_MANY = { kind: 'unknown', why: 'too_many_requests', detail: '429', retry_after_ms: 1 } as const;

export type ProviderName = PaymentProvider['name'];

/** What an investor was asked to authorise, and what became of it. */
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
  /** What of its states was told last, and taken note of (200). */
  told?: MandateState['status'];
}

/** The investor was told of a debit. */
export interface Notice {
  readonly at: Date;
  readonly amount: Decimal;
  readonly execute_at: Date;
  readonly debit: ProviderDebit;
  withdrawn: boolean;
  /** We were told that it did not reach the investor. */
  failed: boolean;
}

/** One attempt that the provider has taken in. */
export interface Attempt {
  readonly debit: ProviderDebit;
  readonly provider: ProviderName;
  readonly at: Date;
  /** So many times it takes the money: more than once where the same call is worked again. */
  worked: number;
  readonly captures: ProviderCapture[];
  failure: PaymentFailureCode | null;
}

/** Something that the provider tells: sent late, twice, or in another order, but sent in the end. */
export interface Telling {
  readonly provider: ProviderName;
  readonly path: string;
  readonly callback: PaymentCallback | MandateCallback;
  readonly heard: () => void;
  isTold: boolean;
}

/** Both providers, the banks and the investor: what is so there, and whether we kept the rules with each call. */
export class MandatesWorld extends OutsideWorld {
  book = new PermitBook();
  readonly asked = new Map<string, Asked>();
  readonly tokens = new Map<string, Token>();
  /** By our own name of the notice. */
  readonly notices = new Map<string, Notice>();
  readonly attempts = new Map<string, Attempt>();
  readonly tellings: Telling[] = [];
  /** When mandates admitted a payment's debit. */
  readonly admissions = new Map<number, Date>();
  /** Calls that time out here and are worked there all the same, a little later. */
  isSlow = false;
  /** It takes no more calls just now (429). */
  isBusy = false;
  /** What the next notice or execution is refused with. */
  refusal: PaymentFailureCode | null = null;
  private slow: (() => void)[] = [];
  /** Attempts that timed out here and will arrive. */
  readonly onTheWay = new Set<string>();
  /** Attempts that were sent, and of which nobody has said since that they did not arrive. */
  private readonly sent = new Set<string>();
  /** When a debit was first executed, by the payment's reference, whether or not that call arrived: its retries count from there. */
  private readonly begun = new Map<string, Date>();

  constructor(private readonly clock: FakeClock) {
    super();
  }

  get now(): Date {
    return this.clock.now();
  }

  /** Rules that were broken, in words. */
  get broken(): readonly string[] {
    return this.book.broken;
  }

  /** A new world, for the next sequence. */
  clear(): void {
    this.book = new PermitBook();
    const maps = [this.accounts, this.transfers, this.orders, this.asked, this.tokens, this.notices];
    for (const map of [...maps, this.attempts, this.admissions, this.begun]) map.clear();
    this.tellings.length = 0;
    this.slow = [];
    this.onTheWay.clear();
    this.sent.clear();
    this.beWell();
  }

  /** Everybody answers, at once. */
  beWell(): void {
    this.mood = 'well';
    this.isSlow = false;
    this.isBusy = false;
    this.refusal = null;
  }

  /** How the outside answers from now on. */
  become(mood: MandateMood): void {
    this.isSlow = mood === 'slow';
    this.isBusy = mood === 'busy';
    this.mood = mood === 'slow' || mood === 'busy' ? 'well' : mood;
  }

  override answer<T>(act: () => T): Promise<T | Unheard> {
    if (this.isBusy) return Promise.resolve(TOO_MANY);
    if (!this.isSlow) return super.answer(act);
    this.slow.push(() => void act());
    return Promise.resolve(TIME_OUT);
  }

  /** What was slow arrives. */
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

  tell(telling: Omit<Telling, 'isTold' | 'heard'> & { readonly heard?: () => void }): void {
    this.tellings.push({ heard: () => undefined, ...telling, isTold: false });
  }

  /** Mandates has granted a permit: not while the provider has told that the mandate stands still, but for what was in flight. */
  seeGranted(permit: PermitAsked, isHeard: boolean): void {
    const own = [...this.tokens.values()].filter(
      ({ registration }) => registration.mandate_id === permit.mandate_id,
    );
    const isStill = own.length > 0 && own.every(({ state, told }) => state !== 'active' && told === state);
    if (isStill && !this.book.wasGranted(permit))
      this.book.broken.push(
        `permit ${permit.payment_id} ${permit.step} was granted after ${own[0]?.state} was told to us`,
      );
    this.book.grant(permit, isHeard);
  }

  /** The notice's rules (contract §4): by leave, for Autopay, within the limit, told at least 24 hours ahead. */
  checkNotice(debit: ProviderDebit): void {
    this.book.use({ payment_id: debit.payment_id, step: 'notify', attempt: 1 });
    const known = this.notices.get(noticeKey(debit));
    if (known && !known.amount.equals(debit.amount))
      this.complain(debit, 'is told again with another amount');
    if (!known && debit.execute_at.getTime() - this.now.getTime() < LEAST_NOTICE)
      this.complain(debit, `is told less than 24 hours before ${istTimestamp(debit.execute_at)}`);
    this.checkMandate(debit, false);
  }

  /** The provider has said, and was heard, that it does not know the attempt: it may be sent again. */
  heardUnknown(reference: string): void {
    this.sent.delete(reference);
  }

  /** The execution's rules. A call that the provider has taken in before has no second effect, and needs the leave alone. */
  checkExecution(debit: ProviderDebit): void {
    this.book.use({ payment_id: debit.payment_id, step: 'execute', attempt: debit.attempt });
    if (this.sent.has(debit.reference))
      this.complain(debit, 'is sent again, and nobody has asked whether it arrived');
    if (!this.isBusy) this.sent.add(debit.reference);
    if (this.attempts.has(debit.reference)) return;
    this.checkMandate(debit, true);
    this.checkTries(debit);
    if (debit.mandate.mandate_type === 'UPI') this.checkAutopay(debit);
    else this.checkEmandate(debit);
    const { payment_reference } = debit;
    if (!this.isBusy && !this.begun.has(payment_reference)) this.begun.set(payment_reference, this.now);
  }

  private checkMandate(debit: ProviderDebit, isExecuted: boolean): void {
    const token = this.tokens.get(debit.mandate.mandate_token);
    if (!token) return this.complain(debit, 'is of a mandate that nobody authorised');
    const { limit, valid_from, valid_to } = token.registration;
    if (debit.amount.compare(limit) > 0) this.complain(debit, `is above the limit of ${limit.toFixed2()}`);
    const today = istDate(this.now);
    if (today > valid_to || (isExecuted && today < valid_from))
      this.complain(debit, `is outside of the validity ${valid_from} to ${valid_to}`);
  }

  private checkTries(debit: ProviderDebit): void {
    if (debit.attempt > MOST_ATTEMPTS) this.complain(debit, 'is a try too many');
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
          this.complain(debit, `is made, and nobody knows what became of ${reference}`);
  }

  private checkAutopay(debit: ProviderDebit): void {
    const notice = this.notices.get(noticeKey(debit));
    if (!notice) return this.complain(debit, 'has no notice');
    if (this.now.getTime() - notice.at.getTime() < LEAST_NOTICE)
      this.complain(debit, 'is made within 24 hours of its notice');
    if (this.now < notice.execute_at) this.complain(debit, 'is made before the time that the notice told');
    if (debit.attempt === 1 && istDate(this.now) !== istDate(notice.execute_at))
      this.complain(debit, `is made on another day than ${istDate(notice.execute_at)}, which was told`);
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
    const fault = emandateFault(this.now, admitted, this.begun.get(debit.payment_reference) ?? null);
    if (fault) this.complain(debit, `is made ${fault}`);
  }

  private complain({ reference }: ProviderDebit, what: string): void {
    this.book.broken.push(`${reference} at ${istTimestamp(this.now)} ${what}`);
  }
}
