import { dayAt, dueTime, nominalDays, textOf, type Day, type ReferenceCalendar } from './reference-days.ts';

/** The terms of a plan's creation. */
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
  /** For a drawn one: when its event is published. */
  readonly publishAt: number | null;
  isPublished: boolean;
  hasEnded: boolean;
  /** The redemption's id. For a generated one it is read from the product. */
  redemption: string | null;
}

interface ReferenceSkip {
  readonly id: string;
  readonly from: Day;
  readonly to: Day | null;
  cancelledAt: number | null;
}

/** What a GET shows of the plan's progress. */
export interface Shown {
  readonly state: State;
  readonly remaining_installments: number;
  readonly next_installment_date: string | null;
  readonly previous_installment_date: string | null;
}

/**
 * Whether the skip covers an installment of that date: the date is in its range, and the skip was in force when the date fell due.
 */
export function covers({ from, to, cancelledAt }: ReferenceSkip, date: Day, dueAt = dueTime(date)): boolean {
  return from <= date && (to === null || date <= to) && (cancelledAt === null || cancelledAt >= dueAt);
}

/** When the event of a drawn installment is published, in case orders has not stored it (CALL-7). */
const PUBLISH_AFTER_MS = 60_000;

/** A plan as PLAN-12 to PLAN-29 require. Times are milliseconds since the epoch. */
export class ReferencePlan {
  state: State = 'created';
  hasConsent: boolean;
  nominals: readonly Day[] = [];
  readonly made: ReferenceInstallment[] = [];
  readonly skips: ReferenceSkip[] = [];
  /** The plan's events, without `mandate_unusable`. */
  readonly events: string[] = ['created'];
  /** The next installment's date, and when it falls due. */
  next: { readonly date: Day; readonly dueAt: number } | null = null;
  /** Every state since `clearTrail`: what a reader may see meanwhile. */
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

  /** Whether a caller may draw an installment of it. */
  get mayDraw(): boolean {
    return (
      this.state === 'active' && !this.terms.auto && this.made.length < this.terms.number_of_installments
    );
  }

  get hasMoreToCome(): boolean {
    return this.mayBeCancelled && this.made.length < this.terms.number_of_installments;
  }

  clearTrail(): void {
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

  /** The gateway has the plan; `said` is its answer to the registration. */
  submit(said: Terms['registration'], now: number, calendar: ReferenceCalendar): void {
    if (this.state === 'confirmed') this.turn('submitted', 'submitted');
    if (this.state !== 'submitted') return;
    if (said === 'refused') this.turn('failed', 'failed');
    if (said === 'registered') this.activate(now, calendar);
  }

  /** Generates everything that has fallen due by now, one installment after another. */
  generate(now: number, calendar: ReferenceCalendar): void {
    while (this.next && this.next.dueAt <= now) this.makeNext(calendar);
  }

  /** Generates the next one. It is skipped when an instruction that covers its date was in force when it fell due. */
  makeNext(calendar: ReferenceCalendar): void {
    const { next } = this;
    if (!next) throw new Error(`${this.id} has no next installment`);
    const { date, dueAt } = next;
    const isSkipped = this.skips.some((skip) => covers(skip, date, dueAt));
    const nominal = this.nominals[this.made.length];
    if (nominal === undefined) throw new Error(`${this.id} has no installment ${this.made.length + 1}`);
    const state = isSkipped ? 'cancelled' : 'under_review';
    this.next = this.nextBy(calendar, 1);
    this.add({ nominal, date, state, publishAt: null, isPublished: true, redemption: null });
    this.events.push('installment_generated');
  }

  /** An installment of today, drawn by the caller. */
  draw(now: number, redemption: string): ReferenceInstallment {
    const today = dayAt(now);
    const publishAt = now + PUBLISH_AFTER_MS;
    return this.add({
      ...{ nominal: today, date: today, state: 'under_review', publishAt, isPublished: false, redemption },
    });
  }

  publishDrawn(now: number): void {
    for (const installment of this.made)
      if (!installment.isPublished && (installment.publishAt ?? now) <= now) {
        installment.isPublished = true;
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

  /** The holidays have changed. A date that has not fallen due follows them, unless it would then be past. */
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

  /** The next installment, or the one that many after it. */
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
