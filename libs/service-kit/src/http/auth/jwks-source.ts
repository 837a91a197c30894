import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../db/clock.ts';
import { unavailable } from '../errors/error-answer.ts';
import type { ReadKeySet } from './read-key-set.ts';

/** An unknown key id is looked for at most this often, so that forged tokens cannot make us flood the issuer; nor can its silence. */
const LEAST_BETWEEN_FETCHES_MS = 3_000;
/** The same while no key is known at all: as long as a refused client is told to wait. */
const LEAST_WITHOUT_KEYS_MS = 1_000;
/** A withdrawn key is forgotten after this long at the latest. Keys are published 15 min before their first use. */
const KEPT_MS = 300_000;

const keySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

/**
 * The public keys that access tokens are signed with, from identity or from an OpenID provider. The set replaces the one before:
 * old and new keys are published together while they overlap.
 */
export class JwksSource {
  private resolve: JWTVerifyGetKey | null = null;
  private fetchedAt = 0;
  private triedAt = -Infinity;
  /** The last fetch brought nothing: known keys are used without waiting for the next one. */
  private isFailing = false;
  private fetching: Promise<void> | null = null;

  constructor(
    private readonly read: ReadKeySet,
    private readonly clock: Clock,
  ) {}

  /** Finds the key of a token. Rejects with jose's `JWKSNoMatchingKey`, or with 503 when the issuer never answered. */
  readonly keyOf: JWTVerifyGetKey = async (header, token) => {
    await this.beFresh();
    try {
      return await this.known()(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.mayFetch()) throw error;
      await this.refresh();
      return this.known()(header, token);
    }
  };

  private async beFresh(): Promise<void> {
    const isOld = !this.resolve || this.clock.now().getTime() - this.fetchedAt > KEPT_MS;
    if (!isOld || !this.mayFetch()) return;
    const refreshed = this.refresh();
    if (!this.resolve || !this.isFailing) await refreshed;
  }

  private known(): JWTVerifyGetKey {
    if (!this.resolve) throw unavailable('The keys that access tokens are signed with cannot be read.');
    return this.resolve;
  }

  /** A fetch under way may be joined; another one begins only some time after the last, whether that one failed or not. */
  private mayFetch(): boolean {
    const least = this.resolve ? LEAST_BETWEEN_FETCHES_MS : LEAST_WITHOUT_KEYS_MS;
    return this.fetching !== null || this.clock.now().getTime() - this.triedAt >= least;
  }

  /** One fetch at a time. When it fails, the keys that are known stay in use. */
  private refresh(): Promise<void> {
    this.fetching ??= this.attempt().finally(() => {
      this.fetching = null;
    });
    return this.fetching;
  }

  private async attempt(): Promise<void> {
    try {
      await this.fetch();
      this.isFailing = false;
    } catch {
      this.isFailing = true;
    } finally {
      this.triedAt = this.clock.now().getTime();
    }
  }

  private async fetch(): Promise<void> {
    const text = await this.read();
    this.resolve = createLocalJWKSet(keySet.parse(JSON.parse(text)));
    this.fetchedAt = this.clock.now().getTime();
  }
}
