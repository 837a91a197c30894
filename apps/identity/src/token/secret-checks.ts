import { Injectable } from '@nestjs/common';
import { NOBODYS_HASH, verifySecret } from '../client/client-secret.ts';

/**
 * Checks that may wait at once: 100 together. libuv runs four hashes at a time (its default pool), each about 30 ms: a queue of 100
 * waits for less than a second. All addresses from which more comes than they have wrong secrets left share the `crowd`'s ten.
 */
export const PLACES = { own: 90, crowd: 10 } as const;

/**
 * The one place that compares client secrets. Nothing is cached: a removed client must not get another token. The number of
 * checks that wait is bounded, so that a flood of wrong secrets costs bounded memory and time, and leaves room for others.
 */
@Injectable()
export class SecretChecks {
  private readonly waiting = { own: 0, crowd: 0 };

  /**
   * Null when too many checks wait already for this kind of places. An unknown client (`stored` null) takes as long as a wrong
   * secret.
   */
  async fits(secret: string, stored: string | null, places: keyof typeof PLACES): Promise<boolean | null> {
    if (this.waiting[places] >= PLACES[places]) return null;
    this.waiting[places] += 1;
    try {
      const fits = await verifySecret(secret, stored ?? NOBODYS_HASH);
      return fits && stored !== null;
    } finally {
      this.waiting[places] -= 1;
    }
  }
}
