import { dayAt, dueTime, nominalDays, textOf, type Day, type ReferenceCalendar } from './reference-days.ts';

/** What a plan is made with. */
export interface Terms {
  readonly installment_day: number;
  readonly number_of_installments: number;
  readonly auto: boolean;
  readonly firstNow: boolean;
  readonly byMandate: boolean;
  /** What the gateway will answer to the registration. */
  readonly registration: 'registered' | 'waiting' | 'refused';
}

export type State =
  | 'created'
  | 'review_completed'
  | 'confirmed'
  | 'submitted'
  | 'active'
  | 'completed'
  | 'cancelled'
  | 'failed';
const ENDED: readonly State[] = ['completed', 'cancelled', 'failed'];

export interface ReferenceInstallment {
  readonly number: number;
  readonly nominal: Day;
  readonly date: Day;
  readonly state: 'under_review' | 'cancelled';
  /** Of a drawn one: from when on orders is told of it. */
  readonly tellAt: number | null;
  isTold: boolean;
  hasEnded: boolean;
  /** The redemption's id; of a generated one learnt from the product. */
  redemption: string | null;
}

export interface ReferenceSkip {
  readonly id: string;
  readonly from: Day;
  readonly to: Day | null;
  cancelledAt: number | null;
}

/** What a GET shows of the plan's course. */
export interface Shown {
  readonly state: State;
  readonly remaining_installments: number;
  readonly next_installment_date: string | null;
  readonly previous_installment_date: string | null;
}

/** Whether an installment of that date is skipped by it: its range has the date, and it was in force when that fell due. */
export function covers({ from, to, cancelledAt }: ReferenceSkip, date: Day, dueAt = dueTime(date)): boolean {
  return from <= date && (to === null || date <= to) && (cancelledAt === null || cancelledAt >= dueAt);
}

/** When a drawn installment is told to orders, should it not have stored it (architecture §11). */
const TOLD_AFTER_MS = 60_000;

/** A plan as contract §5 and §10 "Plans" say it has to be. Times are milliseconds since the epoch. */
export class ReferencePlan {
  state: State = 'created';
  hasConsent: boolean;
  nominals: readonly Day[] = [];
  readonly made: ReferenceInstallment[] = [];
  readonly skips: ReferenceSkip[] = [];
  /** The events that the plan has had, but for `mandate_unusable`. */
  readonly events: string[] = ['created'];
  /** Where the next installment stands, and when it falls due. */
  next: { readonly date: Day; readonly dueAt: number } | null = null;
  /** Everything that it has been since `forget`: what a reader may see meanwhile. */
  trail: Shown[];

  constructor(
    readonly id: string,
    readonly terms: Terms,
    hasConsent: boolean,
  ) {
    this.hasConsent = hasConsent;
    this.trail = [this.shown];
  }

  get shown(): Shown {
    const last = this.made.at(-1);
    return {
      state: this.state,
      remaining_installments: this.terms.number_of_installments - this.made.length,
      next_installment_date: this.next && textOf(this.next.date),
      previous_installment_date: last ? textOf(last.date) : null,
    };
  }

  get mayBeCancelled(): boolean {
    return !ENDED.includes(this.state);
  }

  /** Whether its caller may draw an installment. */
  get mayDraw(): boolean {
    return (
      this.state === 'active' && !this.terms.auto && this.made.length < this.terms.number_of_installments
    );
  }

  get hasMoreToCome(): boolean {
    return this.mayBeCancelled && this.made.length < this.terms.number_of_installments;
  }

  forget(): void {
    this.trail = [this.shown];
  }

  passReview(): void {
    if (this.state !== 'created') return;
    this.turn('review_completed', 'review_completed');
    if (this.hasConsent) this.confirm();
  }

  failReview(): void {
    if (this.state === 'created') this.turn('failed', 'failed');
  }

  confirm(): void {
    this.turn('confirmed', 'confirmed');
  }

  /** The gateway has it; what it says of the registration. */
  submit(said: Terms['registration'], now: number, calendar: ReferenceCalendar): void {
    if (this.state === 'confirmed') this.turn('submitted', 'submitted');
    if (this.state !== 'submitted') return;
    if (said === 'refused') this.turn('failed', 'failed');
    if (said === 'registered') this.activate(now, calendar);
  }

  /** Makes everything that has fallen due by now, one installment after another. */
  generate(now: number, calendar: ReferenceCalendar): void {
    while (this.next && this.next.dueAt <= now) this.makeNext(calendar);
  }

  /** Makes the next one: skipped when an instruction that covers its date was in force when it fell due. */
  makeNext(calendar: ReferenceCalendar): void {
    const { next } = this;
    if (!next) throw new Error(`${this.id} has no next installment`);
    const { date, dueAt } = next;
    const isSkipped = this.skips.some((skip) => covers(skip, date, dueAt));
    const nominal = this.nominals[this.made.length];
    if (nominal === undefined) throw new Error(`${this.id} has no installment ${this.made.length + 1}`);
    const state = isSkipped ? 'cancelled' : 'under_review';
    this.next = this.nextBy(calendar, 1);
    this.add({ nominal, date, state, tellAt: null, isTold: true, redemption: null });
    this.events.push('installment_generated');
  }

  /** The caller's own installment, of today. */
  draw(now: number, redemption: string): ReferenceInstallment {
    const today = dayAt(now);
    const tellAt = now + TOLD_AFTER_MS;
    return this.add({
      ...{ nominal: today, date: today, state: 'under_review', tellAt, isTold: false, redemption },
    });
  }

  tellDrawn(now: number): void {
    for (const installment of this.made)
      if (!installment.isTold && (installment.tellAt ?? now) <= now) {
        installment.isTold = true;
        this.events.push('installment_generated');
      }
  }

  end(installment: ReferenceInstallment): void {
    installment.hasEnded = true;
    const isLast = this.made.length === this.terms.number_of_installments;
    if (this.state === 'active' && isLast && this.made.every(({ hasEnded }) => hasEnded))
      this.turn('completed', 'completed');
  }

  cancel(): void {
    this.next = null;
    this.turn('cancelled', 'cancelled');
  }

  /** The holidays have changed: what has not fallen due follows, unless it would then be past. */
  follow(calendar: ReferenceCalendar, now: number): void {
    if (!this.next || this.next.dueAt <= now) return;
    const moved = this.nextBy(calendar);
    if (!moved || moved.dueAt <= now) return;
    this.next = moved;
    this.trail.push(this.shown);
  }

  stateOfSkip({ cancelledAt, to }: ReferenceSkip, now: number): 'active' | 'completed' | 'cancelled' {
    if (cancelledAt !== null) return 'cancelled';
    return this.next !== null && (to === null || to >= dayAt(now)) ? 'active' : 'completed';
  }

  private activate(now: number, calendar: ReferenceCalendar): void {
    const { installment_day, number_of_installments, auto, firstNow } = this.terms;
    const today = dayAt(now);
    const days = nominalDays(installment_day, number_of_installments, today);
    this.nominals = firstNow ? [today, ...days.slice(1)] : days;
    if (auto) this.next = firstNow ? { date: today, dueAt: now } : this.nextBy(calendar);
    this.turn('active', 'activated');
  }

  /** What comes next, or so many after that. */
  private nextBy(calendar: ReferenceCalendar, after = 0): ReferencePlan['next'] {
    const nominal = this.nominals[this.made.length + after];
    if (nominal === undefined) return null;
    const date = calendar.openFrom(nominal);
    return { date, dueAt: dueTime(date) };
  }

  private add(installment: Omit<ReferenceInstallment, 'number' | 'hasEnded'>): ReferenceInstallment {
    const whole = { ...installment, number: this.made.length + 1, hasEnded: false };
    this.made.push(whole);
    this.trail.push(this.shown);
    return whole;
  }

  private turn(state: State, event: string): void {
    this.state = state;
    this.events.push(event);
    this.trail.push(this.shown);
  }
}
