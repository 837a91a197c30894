import type { Queryable } from '@fundrail/persistence';
import type { DataCipher } from '../crypto/data-cipher.ts';
import type { Log } from '../logging/log.ts';
import { connectedKeys } from './replica-keys.ts';

/** Wall milliseconds between two checks; v1 is written for at most twice this time after the last replica of the previous release has ended. */
const CHECK_AGAIN_MS = 5_000;
/** A replica that restarts, or a pool that reconnects after a failover, may be missing in one check and present in the next. */
const QUIET_CHECKS = 2;

/**
 * Makes the cipher write format v1 while a replica is connected that reads only v1, so that during a roll-out replicas of the previous
 * release can read all values. Both formats are always read. It keeps checking, because such a replica may come back.
 */
export class FormatWatch {
  private timer: NodeJS.Timeout | null = null;
  private isStopped = false;
  /** How many checks in a row found no such replica, while format v1 is written because of one. Null: v1 is not held back. */
  private quietChecks: number | null = null;

  constructor(
    private readonly db: Queryable,
    private readonly service: string,
    private readonly cipher: DataCipher,
    private readonly log: Log,
  ) {}

  /** Resolves when the format is chosen. Rejects when the database does not answer. */
  async start(): Promise<void> {
    if (this.cipher.format === 'v1') return;
    await this.look();
    this.again();
  }

  stop(): void {
    this.isStopped = true;
    if (this.timer) clearTimeout(this.timer);
  }

  /** Checks once. A replica of the previous release switches to v1 immediately; two checks in a row without one switch to v2. */
  async look(): Promise<void> {
    const before = await this.replicaOfPreviousRelease();
    if (before !== null) this.holdBack(before);
    else if (this.quietChecks !== null) this.noteQuiet(this.quietChecks + 1);
  }

  private holdBack(applicationName: string): void {
    if (this.quietChecks === null)
      this.log.warn('format v1 is written while replicas of the previous release are connected', {
        application_name: applicationName,
      });
    this.quietChecks = 0;
    this.cipher.holdBack(true);
  }

  private noteQuiet(checks: number): void {
    this.quietChecks = checks < QUIET_CHECKS ? checks : null;
    if (this.quietChecks !== null) return;
    this.cipher.holdBack(false);
    this.log.info('format v2 is written: no replica of the previous release is connected');
  }

  /** The `application_name` of such a replica; null when there is none. */
  private async replicaOfPreviousRelease(): Promise<string | null> {
    const replicas = await connectedKeys(this.db, this.service);
    return replicas.find(({ readsV2, hasOurLogin }) => hasOurLogin && !readsV2)?.applicationName ?? null;
  }

  private again(): void {
    this.timer = setTimeout(() => {
      void this.look()
        .catch(() => undefined) // The next check retries when the database is down.
        .then(() => {
          if (!this.isStopped) this.again();
        });
    }, CHECK_AGAIN_MS).unref();
  }
}
