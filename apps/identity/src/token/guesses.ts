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

/**
 * Slows guesses of secrets, for each client at each address, for each address, and for each client from everywhere, over all
 * replicas. Only wrong secrets count. Whoever has not failed at a client from an address yet is let in there whatever
 * others did, so that nobody is locked out by a stranger.
 */
@Injectable()
export class Guesses {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** 0: the secret may be looked at. */
  async secondsToWait(guess: Guess): Promise<number> {
    const now = this.clock.now();
    const rows = await bucketLevels(this.database, bucketsOf(guess));
    const waits = rows.map((row) => waitOf(row, now));
    return isUntouched(rows, now) ? 0 : Math.max(0, ...waits);
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
}

/** Nobody has failed at this client from this address for as long as it takes to be forgotten. */
function isUntouched(rows: readonly BucketLevel[], now: Date): boolean {
  const pair = rows.find(({ kind }) => kind === PAIR);
  return pair === undefined || levelOf(pair, ALLOWED[PAIR], now) >= ALLOWED[PAIR].burst;
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
    { kind: 'guess at an address', key: key(address) },
    { kind: 'guess of a client', key: key(tenant, client_id) },
  ];
}
