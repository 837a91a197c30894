import { Injectable } from '@nestjs/common';
import { NOBODYS_HASH, verifySecret } from '../client/client-secret.ts';

// libuv runs four hashes at a time (its default pool), each about 30 ms: a queue of 100 waits for less than a second.
const MOST_WAITING = 100;

/**
 * The one place that compares client secrets. Nothing is cached: a removed client must not get another token. The number of
 * checks that wait is bounded, so that a flood of wrong secrets costs bounded memory and time.
 */
@Injectable()
export class SecretChecks {
  private waiting = 0;

  /** Null when too many checks wait already. An unknown client (`stored` null) takes as long as a wrong secret. */
  async fits(secret: string, stored: string | null): Promise<boolean | null> {
    if (this.waiting >= MOST_WAITING) return null;
    this.waiting += 1;
    try {
      const fits = await verifySecret(secret, stored ?? NOBODYS_HASH);
      return fits && stored !== null;
    } finally {
      this.waiting -= 1;
    }
  }
}
