import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../api-client.ts';
import { TestIsOver, type Reachable } from '../crash/patient-client.ts';
import type { Fleet } from '../fleet/fleet.ts';

/** A third of a token's 30 minutes. */
const NEW_TOKEN_EVERY_MS = 600_000;
const PAUSE_MS = 200;

/** The fleet for a client of a long run: renews the token before it expires. */
export class PatientFleet implements Reachable {
  #isOver = false;
  #signedIn: { readonly client: Promise<ApiClient>; readonly at: number } | null = null;

  constructor(private readonly fleet: Fleet) {}

  /** Waits while identity does not answer. Rejects with `TestIsOver` after `end`. */
  client(): Promise<ApiClient> {
    if (this.#isOver) return Promise.reject(new TestIsOver());
    const now = performance.now();
    if (!this.#signedIn || now - this.#signedIn.at > NEW_TOKEN_EVERY_MS)
      this.#signedIn = { client: this.#signIn(), at: now };
    return this.#signedIn.client;
  }

  /** Gives out no more clients. */
  end(): void {
    this.#isOver = true;
  }

  async #signIn(): Promise<ApiClient> {
    while (!this.#isOver) {
      const client = await this.fleet.client().catch(() => null);
      if (client) return client;
      await pause(PAUSE_MS);
    }
    throw new TestIsOver();
  }
}
