import { HashingSecret, Log } from '@fundrail/service-kit';
import { Clock, Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import {
  bucketLevels,
  takeFromBuckets,
  type BucketLevel,
  type BucketTake,
} from '../rate-bucket/rate-bucket.repository.ts';
import { mayBeName } from '../tenant/path-name.pipe.ts';
import { KnownSignIns } from './known-sign-ins.ts';

/** A secret that is tried for a client. `address` is the result of `clientOf`. */
export interface Guess {
  readonly tenant: string;
  readonly client_id: string;
  readonly address: string;
}

interface Allowance {
  readonly burst: number;
  readonly per_second: number;
}

/**
 * Wrong secrets that are answered before the next one has to wait. A few replicas with a typing error try ten times a minute, and
 * an office behind one address may have several such deployments.
 */
const ALLOWED = {
  'guess of a client at an address': { burst: 10, per_second: 1 / 60 },
  'guess at an address': { burst: 50, per_second: 1 / 10 },
  'guess of a client': { burst: 100, per_second: 1 / 10 },
} as const satisfies Record<string, Allowance>;
type Kind = keyof typeof ALLOWED;
const PAIR = 'guess of a client at an address';
const ADDRESS = 'guess at an address';
const CLIENT = 'guess of a client';
const KINDS: readonly Kind[] = [PAIR, ADDRESS, CLIENT];
/**
 * The same failure within this many wall milliseconds has one log line, and the next line contains the count: guessing must not
 * fill the log.
 */
const SAME_LINE_MS = 60_000;
const MOST_LINES = 10_000;
/** The part of a hash that distinguishes two callers in a log. */
const LOGGED = 12;

/** How to treat a guess, given the earlier failures. */
export interface Standing {
  /** 0: the secret may be checked. */
  readonly secondsToWait: number;
  /** More guesses came from this address than it has wrong secrets left, so it shares the crowd's places among the checks. */
  readonly isCrowd: boolean;
}

/** A guess, and the hashes under which it is counted. */
interface Counted extends Guess {
  readonly keys: Readonly<Record<Kind, string>>;
}

/**
 * Slows guesses of secrets over all replicas: for each client at each address, for each address, and for each client from all
 * addresses. Only wrong secrets count. The address counts first, for any client that is tried there. Only a client that has signed
 * in from there before is not slowed by others at that address. A client that has not failed at an address is not slowed by
 * failures elsewhere, so an attacker cannot lock out a client (decision 0021).
 */
@Injectable()
export class Guesses {
  /** Guesses in progress in this process, by address. It is not known yet whether they are wrong. */
  private readonly underWay = new Map<string, number>();
  /** How often the same failure came since its last log line, in this process. */
  private readonly lines = new Map<string, { readonly until: number; more: number }>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly hashing: HashingSecret,
    private readonly known: KnownSignIns,
    private readonly log: Log,
  ) {}

  /**
   * Checks a guess. Until `check` has ended, the guess counts as wrong for its address, because thousands that come at the same
   * time are not counted yet. `check` calls `wasWrong` or `wasRight` before it ends.
   */
  async during<T>(guess: Guess, check: (standing: Standing) => Promise<T>): Promise<T> {
    const before = this.underWay.get(guess.address) ?? 0;
    this.underWay.set(guess.address, before + 1);
    try {
      const counted = await this.counted(guess);
      const standing = await this.standing(counted, before);
      if (standing.secondsToWait > 0) this.logFailure(counted, 'too many wrong secrets', false);
      return await check(standing);
    } finally {
      this.hasEnded(guess.address);
    }
  }

  /** `isClient`: the client exists, so its id is one of ours and may be logged. */
  async wasWrong(guess: Guess, isClient: boolean): Promise<void> {
    const counted = await this.counted(guess);
    const takes = bucketsOf(counted).map(({ kind, key }): BucketTake => ({
      kind,
      key,
      ...ALLOWED[kind],
      spent: 1,
      want: 0,
    }));
    await takeFromBuckets(this.database, takes, this.clock.now());
    this.logFailure(counted, isClient ? 'wrong secret' : 'unknown client', isClient);
  }

  async wasRight(guess: Guess): Promise<void> {
    const { keys } = await this.counted(guess);
    await this.known.note(keys[PAIR]);
  }

  private async standing(guess: Counted, before: number): Promise<Standing> {
    const now = this.clock.now();
    const rows = await bucketLevels(this.database, bucketsOf(guess));
    const wait = (kind: Kind) => secondsLeft(kind, rows, now);
    // A client that was not tried from this address is not slowed by guesses from elsewhere.
    const ofOthers = Math.max(wait(ADDRESS), isUntouched(rows, now) ? 0 : wait(CLIENT));
    const isKnown = ofOthers > 0 && (await this.known.has(guess.keys[PAIR]));
    return {
      secondsToWait: Math.max(wait(PAIR), isKnown ? 0 : ofOthers),
      isCrowd: leftIn(ADDRESS, rows, now) < before + 1,
    };
  }

  /** Ids may have any length, and addresses are personal data, so only hashes are stored, which cannot be guessed. */
  private async counted(guess: Guess): Promise<Counted> {
    const { tenant, client_id, address } = guess;
    const [pair, ofAddress, ofClient] = await Promise.all([
      this.hashing.hash(PAIR, tenant, client_id, address),
      this.hashing.hash(ADDRESS, address),
      this.hashing.hash(CLIENT, tenant, client_id),
    ]);
    return { ...guess, keys: { [PAIR]: pair, [ADDRESS]: ofAddress, [CLIENT]: ofClient } };
  }

  /** Text that is not the id of one of our clients may be any input, so it is logged as a hash. */
  private logFailure({ tenant, client_id, keys }: Counted, reason: string, isClient: boolean): void {
    const same = `${reason} ${isClient ? keys[PAIR] : keys[ADDRESS]}`;
    const line = this.lines.get(same);
    const now = this.clock.now().getTime();
    if (line && now < line.until) {
      line.more += 1;
      return;
    }
    if (this.lines.size >= MOST_LINES) this.lines.clear();
    this.lines.set(same, { until: now + SAME_LINE_MS, more: 0 });
    this.log.warn('a sign-in failed', {
      reason,
      repeated_before: line?.more ?? 0,
      tenant: mayBeName(tenant) ? tenant : null,
      client: isClient ? client_id : null,
      client_hash: keys[CLIENT].slice(0, LOGGED),
      address_hash: keys[ADDRESS].slice(0, LOGGED),
    });
  }

  private hasEnded(address: string): void {
    const others = (this.underWay.get(address) ?? 1) - 1;
    if (others > 0) this.underWay.set(address, others);
    else this.underWay.delete(address);
  }
}

/** Whether there was no failure for this client from this address while failures still count. */
function isUntouched(rows: readonly BucketLevel[], now: Date): boolean {
  return leftIn(PAIR, rows, now) >= ALLOWED[PAIR].burst;
}

/** A bucket that does not exist is full. */
function leftIn(kind: Kind, rows: readonly BucketLevel[], now: Date): number {
  const row = rows.find((one) => one.kind === kind);
  return row === undefined ? ALLOWED[kind].burst : levelOf(row, ALLOWED[kind], now);
}

function secondsLeft(kind: Kind, rows: readonly BucketLevel[], now: Date): number {
  return Math.max(0, Math.ceil((1 - leftIn(kind, rows, now)) / ALLOWED[kind].per_second));
}

function levelOf({ tokens, at }: BucketLevel, { burst, per_second }: Allowance, now: Date): number {
  const seconds = Math.max(0, now.getTime() - at.getTime()) / 1000;
  return Math.min(burst, tokens + seconds * per_second);
}

function bucketsOf({ keys }: Counted): { readonly kind: Kind; readonly key: string }[] {
  return KINDS.map((kind) => ({ kind, key: keys[kind] }));
}
