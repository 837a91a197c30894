import { Injectable } from '@nestjs/common';
import { UNMATCHABLE_HASH, verifySecret } from '../client/client-secret.ts';

/**
 * The number of checks that may wait at the same time: 100 in total. libuv computes four hashes at a time (its default pool), each
 * in about 30 ms, so a queue of 100 waits for less than a second. All addresses that send more guesses than they have wrong secrets
 * left share the ten places of `crowd`.
 */
export const PLACES = { own: 90, crowd: 10 } as const;

/**
 * The only place that compares client secrets. Nothing is cached, because a removed client must not get another token. The number
 * of waiting checks is limited, so that a flood of wrong secrets costs limited memory and time, and leaves room for others.
 */
@Injectable()
export class SecretChecks {
  private readonly waiting = { own: 0, crowd: 0 };

  /**
   * Returns null when too many checks wait for this kind of place. An unknown client (`stored` null) takes as long as a wrong
   * secret.
   */
  async fits(secret: string, stored: string | null, places: keyof typeof PLACES): Promise<boolean | null> {
    if (this.waiting[places] >= PLACES[places]) return null;
    this.waiting[places] += 1;
    try {
      const fits = await verifySecret(secret, stored ?? UNMATCHABLE_HASH);
      return fits && stored !== null;
    } finally {
      this.waiting[places] -= 1;
    }
  }
}
