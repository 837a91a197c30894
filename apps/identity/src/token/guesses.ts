import { Clock, Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import {
  bucketLevels,
  takeOfBuckets,
  type BucketLevel,
  type BucketTake,
} from '../rate-bucket/rate-bucket.repository.ts';

/** A secret that is tried for a client. `address` as `clientOf` has it. */
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
 * Wrong secrets that are answered before the next has to wait. A typing error in a deployment is tried ten times a minute by a
 * few replicas; an office behind one address has several of them.
 */
const ALLOWED = {
  'guess of a client at an address': { burst: 10, per_second: 1 / 60 },
  'guess at an address': { burst: 50, per_second: 1 / 10 },
  'guess of a client': { burst: 100, per_second: 1 / 10 },
} as const satisfies Record<string, Allowance>;
type Kind = keyof typeof ALLOWED;
const PAIR = 'guess of a client at an address';
const ADDRESS = 'guess at an address';

/** What is to be done with a guess, by what was wrong before. */
export interface Standing {
  /** 0: the secret may be looked at. */
  readonly secondsToWait: number;
  /** More came from this address than it has wrong secrets left: it has no place of its own among the checks. */
  readonly isCrowd: boolean;
}

/**
 * Slows guesses of secrets, for each client at each address, for each address, and for each client from everywhere, over all
 * replicas. Only wrong secrets count. Whoever has not failed at a client from an address yet is let in there whatever
 * others did, so that nobody is locked out by a stranger.
 */
@Injectable()
export class Guesses {
  /** Guesses of which nobody knows yet whether they are wrong, by address, in this process. */
  private readonly underWay = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks a guess, which until `check` has ended stands among those of its address as if it were wrong: thousands that come at once
   * have not been counted yet. `check` calls `wasWrong` before it ends.
   */
  async during<T>(guess: Guess, check: (standing: Standing) => Promise<T>): Promise<T> {
    const before = this.underWay.get(guess.address) ?? 0;
    this.underWay.set(guess.address, before + 1);
    try {
      return await check(await this.standing(guess, before));
    } finally {
      this.hasEnded(guess.address);
    }
  }

  async wasWrong(guess: Guess): Promise<void> {
    const takes = bucketsOf(guess).map(({ kind, key }): BucketTake => ({
      kind,
      key,
      ...ALLOWED[kind],
      spent: 1,
      want: 0,
    }));
    await takeOfBuckets(this.database, takes, this.clock.now());
  }

  private async standing(guess: Guess, before: number): Promise<Standing> {
    const now = this.clock.now();
    const rows = await bucketLevels(this.database, bucketsOf(guess));
    const waits = rows.map((row) => waitOf(row, now));
    return {
      secondsToWait: isUntouched(rows, now) ? 0 : Math.max(0, ...waits),
      isCrowd: leftIn(ADDRESS, rows, now) < before + 1,
    };
  }

  private hasEnded(address: string): void {
    const others = (this.underWay.get(address) ?? 1) - 1;
    if (others > 0) this.underWay.set(address, others);
    else this.underWay.delete(address);
  }
}

/** Nobody has failed at this client from this address for as long as it takes to be forgotten. */
function isUntouched(rows: readonly BucketLevel[], now: Date): boolean {
  return leftIn(PAIR, rows, now) >= ALLOWED[PAIR].burst;
}

/** A bucket that is not there is full. */
function leftIn(kind: Kind, rows: readonly BucketLevel[], now: Date): number {
  const row = rows.find((one) => one.kind === kind);
  return row === undefined ? ALLOWED[kind].burst : levelOf(row, ALLOWED[kind], now);
}

function waitOf(row: BucketLevel, now: Date): number {
  const allowed = ALLOWED[row.kind as Kind];
  return Math.ceil((1 - levelOf(row, allowed, now)) / allowed.per_second);
}

function levelOf({ tokens, at }: BucketLevel, { burst, per_second }: Allowance, now: Date): number {
  const seconds = Math.max(0, now.getTime() - at.getTime()) / 1000;
  return Math.min(burst, tokens + seconds * per_second);
}

/** Ids are as long as whoever guesses likes, and addresses are personal data: only hashes are kept. */
function bucketsOf({ tenant, client_id, address }: Guess): { readonly kind: Kind; readonly key: string }[] {
  const key = (...parts: string[]) => createHash('sha256').update(parts.join('\n')).digest('base64url');
  return [
    { kind: PAIR, key: key(tenant, client_id, address) },
    { kind: ADDRESS, key: key(address) },
    { kind: 'guess of a client', key: key(tenant, client_id) },
  ];
}
