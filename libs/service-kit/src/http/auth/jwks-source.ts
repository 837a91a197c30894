import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../db/clock.ts';
import { unavailable } from '../errors/error-answer.ts';
import type { ReadKeySet } from './read-key-set.ts';

/** The keys are fetched at most this often, so that neither forged tokens nor a silent issuer make us flood the issuer. */
const LEAST_BETWEEN_FETCHES_MS = 3_000;
/** The same while no key is known: equal to the `Retry-After` of a refused client. */
const LEAST_WITHOUT_KEYS_MS = 1_000;
/** A withdrawn key is deleted after this time at the latest. Keys are published 15 min before their first use. */
const KEPT_MS = 300_000;

const keySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

/**
 * The public keys of the access tokens' issuer: identity or an OpenID provider. A fetched set replaces the previous one, because old
 * and new keys are published together while they overlap.
 */
export class JwksSource {
  private resolve: JWTVerifyGetKey | null = null;
  private fetchedAt = 0;
  private triedAt = -Infinity;
  /** The last fetch failed: known keys are used without waiting for the next fetch. */
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
    if (!this.resolve) throw unavailable('The signing keys of access tokens cannot be read.');
    return this.resolve;
  }

  /** A fetch under way may be joined; a new one may start only some time after the last attempt. */
  private mayFetch(): boolean {
    const least = this.resolve ? LEAST_BETWEEN_FETCHES_MS : LEAST_WITHOUT_KEYS_MS;
    return this.fetching !== null || this.clock.now().getTime() - this.triedAt >= least;
  }

  /** One fetch at a time. When it fails, the known keys stay in use. */
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
