import { BURST_SECONDS, DEFAULT_PER_SECOND, type RateAsk, type RateLease } from '@fundrail/contracts';

/** The part of a second's rate that a process may lease in advance; it may admit as much again before it has leased it. */
const AHEAD = 1 / 20;
/** How often identity is asked about an active tenant, so that a changed limit is noticed. */
const KNOWN_MS = 2_000;

export interface Standing {
  /** The largest burst: 2 s of the rate. */
  readonly limit: number;
  /** The rest of it, as far as this process knows. */
  readonly remaining: number;
  /** Seconds until the full burst is available again. */
  readonly reset_s: number;
}

/** `wait`: the decision needs identity's answer. */
type Taking = 'admitted' | 'refused' | 'wait';

/**
 * One process's part of a tenant's bucket: what it has leased from the bucket that identity keeps for all processes. Times are wall
 * milliseconds. Below 20 requests a second nothing is leased in advance, so that no replica holds what another one needs.
 */
export class LeasedBucket {
  private perSecond = DEFAULT_PER_SECOND;
  /** Leased and unused requests; below zero: requests that were admitted without a lease. */
  private stock = 0;
  /** Requests that were admitted without a lease and reported to identity, which has not answered yet. */
  private reported = 0;
  /** Requests that this process has admitted alone while identity was down. They are taken out of identity's bucket afterwards. */
  private debt = 0;
  /** The part of `debt` that is reported now. */
  private debtReported = 0;
  private left = DEFAULT_PER_SECOND * BURST_SECONDS;
  private leftAt = -Infinity;
  private emptyUntil = -Infinity;

  constructor(
    readonly tenant: string,
    readonly kind: RateAsk['kind'],
  ) {}

  take(now: number): Taking {
    // The bucket may have been refilled since an old lease.
    if (now - this.leftAt > KNOWN_MS) this.stock = Math.min(this.stock, 0);
    const credit = this.isEmpty(now) ? 0 : this.ahead - this.reported;
    if (this.stock > -credit) {
      this.stock -= 1;
      return 'admitted';
    }
    return this.isEmpty(now) ? 'refused' : 'wait';
  }

  /**
   * Admits or refuses a request by the knowledge of this process, while identity's answer is late. An admitted one counts as admitted
   * without a lease, so the answer or the next call settles it.
   */
  takeAlone(now: number): boolean {
    // The debt has already been subtracted from this process's own level.
    if (this.levelAt(now) + this.stock - (this.reported - this.debtReported) < 1) return false;
    this.stock -= 1;
    return true;
  }

  /** Whether to ask identity now, so that the next requests do not wait, or because the limit may have changed. */
  isLow(now: number): boolean {
    if (now - this.leftAt > KNOWN_MS || now < this.leftAt) return true;
    return !this.isEmpty(now) && this.ahead > 0 && this.stock <= this.ahead / 2;
  }

  /** The call to identity when `waiting` requests wait. Requests that were admitted without a lease are reported once. */
  ask(waiting: number): RateAsk {
    const credited = Math.max(0, -this.stock);
    this.stock += credited;
    this.debtReported = this.debt;
    const spent = credited + this.debt;
    this.reported += spent;
    const want = waiting + Math.max(0, this.ahead - this.stock);
    return { tenant: this.tenant, kind: this.kind, spent, want };
  }

  /** Applies identity's answer. */
  receive(ask: RateAsk, lease: Pick<RateLease, 'per_second' | 'granted' | 'left'>, now: number): void {
    this.debt -= this.debtReported;
    this.settle(ask, lease, now);
  }

  private settle(ask: RateAsk, lease: Pick<RateLease, 'per_second' | 'granted' | 'left'>, now: number): void {
    this.reported -= ask.spent;
    this.debtReported = 0;
    this.perSecond = lease.per_second;
    [this.left, this.leftAt] = [lease.left, now];
    this.stock = Math.min(this.stock, this.ahead) + lease.granted;
    // As many as are worth another call; at least one.
    const enough = Math.max(1, this.ahead);
    this.emptyUntil =
      lease.granted < ask.want
        ? now + Math.max(1, ((enough - lease.left) / this.perSecond) * 1000)
        : -Infinity;
  }

  /** Identity does not answer: this process alone decides by the last known limit. */
  receiveAlone(ask: RateAsk, now: number): void {
    const credited = ask.spent - this.debtReported;
    const level = this.levelAt(now) - credited;
    const granted = Math.min(ask.want, Math.max(0, Math.floor(level)));
    this.debt += credited + granted;
    this.settle(ask, { per_second: this.perSecond, granted, left: level - granted }, now);
  }

  standing(now: number): Standing {
    const limit = this.perSecond * BURST_SECONDS;
    const known = Math.floor(this.levelAt(now)) + this.stock;
    const remaining = Math.min(limit, Math.max(0, known));
    return { limit, remaining, reset_s: Math.ceil((limit - remaining) / this.perSecond) };
  }

  /** Whole seconds after which a refused request may be let in. */
  retryAfter(now: number): number {
    return Math.max(1, Math.ceil((this.emptyUntil - now) / 1000));
  }

  /** By identity's last answer, which is ignored when the clock was set back since then. */
  private isEmpty(now: number): boolean {
    return this.leftAt <= now && now < this.emptyUntil;
  }

  /** 0 before the tenant's limit is known. */
  private get ahead(): number {
    return this.leftAt === -Infinity ? 0 : Math.floor(this.perSecond * AHEAD);
  }

  private levelAt(now: number): number {
    const refilled = this.left + (Math.max(0, now - this.leftAt) / 1000) * this.perSecond;
    return Math.min(this.perSecond * BURST_SECONDS, refilled);
  }
}
