import { BURST_SECONDS, DEFAULT_PER_SECOND, type RateAsk, type RateLease } from '@fundrail/contracts';

/** Part of a second's rate that a process may hold in advance, and as much that it may let in before it has asked. */
const AHEAD = 1 / 20;
/** A tenant that goes on asking is asked about this often, so that a changed limit is heard of. */
const KNOWN_MS = 2_000;

export interface Standing {
  /** What may be used at once: 2 s of the rate. */
  readonly limit: number;
  /** What is left of it, as far as this process knows. */
  readonly remaining: number;
  /** Seconds until all of it is there again. */
  readonly reset_s: number;
}

/** `wait`: nobody knows before identity has answered. */
export type Taking = 'admitted' | 'refused' | 'wait';

/**
 * A tenant's bucket as one process sees it: what it has leased of the one bucket that identity keeps for all. Times are wall
 * milliseconds. Below 20 requests a second nothing is held in advance, so that no replica keeps what another one needs.
 */
export class LeasedBucket {
  private perSecond = DEFAULT_PER_SECOND;
  /** Leased and unused; below zero: let in without having asked. */
  private stock = 0;
  /** What was let in so and told to identity, which has not answered yet. */
  private told = 0;
  /** What was given here alone while identity was away; of it, what is being told. It is taken out of the one bucket afterwards. */
  private owed = 0;
  private owedTold = 0;
  private left = DEFAULT_PER_SECOND * BURST_SECONDS;
  private leftAt = -Infinity;
  private emptyUntil = -Infinity;

  constructor(
    readonly tenant: string,
    readonly kind: RateAsk['kind'],
  ) {}

  take(now: number): Taking {
    // What was leased long ago may be in the bucket again.
    if (now - this.leftAt > KNOWN_MS) this.stock = Math.min(this.stock, 0);
    const credit = this.isEmpty(now) ? 0 : this.ahead - this.told;
    if (this.stock > -credit) {
      this.stock -= 1;
      return 'admitted';
    }
    return this.isEmpty(now) ? 'refused' : 'wait';
  }

  /**
   * Lets a request in by what this process knows, while identity's answer is late. It counts as let in without having asked, so
   * that the answer or the next ask settles it.
   */
  takeAlone(now: number): boolean {
    // What is owed has been taken off this process's own level already.
    if (this.levelAt(now) + this.stock - (this.told - this.owedTold) < 1) return false;
    this.stock -= 1;
    return true;
  }

  /** Whether to ask now so that the next requests need not wait, or because the limit may be another by now. */
  isLow(now: number): boolean {
    if (now - this.leftAt > KNOWN_MS || now < this.leftAt) return true;
    return !this.isEmpty(now) && this.ahead > 0 && this.stock <= this.ahead / 2;
  }

  /** What to ask for when so many requests wait. What was let in on credit is told once. */
  ask(waiting: number): RateAsk {
    const credited = Math.max(0, -this.stock);
    this.stock += credited;
    this.owedTold = this.owed;
    const spent = credited + this.owed;
    this.told += spent;
    const want = waiting + Math.max(0, this.ahead - this.stock);
    return { tenant: this.tenant, kind: this.kind, spent, want };
  }

  /** Takes what identity answered. */
  receive(ask: RateAsk, lease: Pick<RateLease, 'per_second' | 'granted' | 'left'>, now: number): void {
    this.owed -= this.owedTold;
    this.settle(ask, lease, now);
  }

  private settle(ask: RateAsk, lease: Pick<RateLease, 'per_second' | 'granted' | 'left'>, now: number): void {
    this.told -= ask.spent;
    this.owedTold = 0;
    this.perSecond = lease.per_second;
    [this.left, this.leftAt] = [lease.left, now];
    this.stock = Math.min(this.stock, this.ahead) + lease.granted;
    // As many as are worth asking for again; one at least.
    const enough = Math.max(1, this.ahead);
    this.emptyUntil =
      lease.granted < ask.want
        ? now + Math.max(1, ((enough - lease.left) / this.perSecond) * 1000)
        : -Infinity;
  }

  /** Identity does not answer: this process alone gives what the tenant would get, by the limit it heard last. */
  receiveAlone(ask: RateAsk, now: number): void {
    const credited = ask.spent - this.owedTold;
    const level = this.levelAt(now) - credited;
    const granted = Math.min(ask.want, Math.max(0, Math.floor(level)));
    this.owed += credited + granted;
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

  /** As identity said last. A clock that was set back since then makes that worth nothing. */
  private isEmpty(now: number): boolean {
    return this.leftAt <= now && now < this.emptyUntil;
  }

  /** Nothing, before the tenant's limit is known. */
  private get ahead(): number {
    return this.leftAt === -Infinity ? 0 : Math.floor(this.perSecond * AHEAD);
  }

  private levelAt(now: number): number {
    const refilled = this.left + (Math.max(0, now - this.leftAt) / 1000) * this.perSecond;
    return Math.min(this.perSecond * BURST_SECONDS, refilled);
  }
}
