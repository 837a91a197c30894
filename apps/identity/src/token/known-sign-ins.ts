import { Clock, Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { hasSignedIn, noteSignIn } from './sign-in.repository.ts';

/** A client that has not requested a token from an address for this many days of wall time is unknown there again. */
export const KNOWN_FOR_DAYS = 30;
export const KNOWN_FOR_MS = KNOWN_FOR_DAYS * 86_400_000;

/** Stores from where each client has signed in, as hashes (`Guesses`), so that wrong secrets of others there do not slow it. */
@Injectable()
export class KnownSignIns {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  has(key: string): Promise<boolean> {
    return hasSignedIn(this.database, key, new Date(this.clock.now().getTime() - KNOWN_FOR_MS));
  }

  async note(key: string): Promise<void> {
    await noteSignIn(this.database, key, this.clock.now());
  }
}
