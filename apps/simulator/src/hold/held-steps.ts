import type { TenantFacts } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue, type DueWork } from '@fundrail/service-kit/due';
import { Log } from '@fundrail/service-kit';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ASK_REGISTRAR, REVIEW_ORDER } from '../gateway-order/save-order.ts';
import { REVIEW_PLAN } from '../gateway-plan/save-plan.ts';
import { SETTLE_TRANSFER } from '../transfer/start-transfer.ts';
import { TenantSettings } from './tenant-settings.ts';

type Hold = keyof TenantFacts['settings']['simulator'];

const HOLD_OF: Record<string, Hold> = {
  [REVIEW_ORDER]: 'hold_review',
  [REVIEW_PLAN]: 'hold_review',
  [ASK_REGISTRAR]: 'hold_registrar',
  [SETTLE_TRANSFER]: 'hold_transfer',
};

// Wall time: how soon a lifted hold takes effect. A hold has no business time, so it is not due work and a clock jump does not wait for
// it.
const CHECK_EVERY_MS = 250;

const keep = sql(
  'held_steps.keep',
  'INSERT INTO held_steps (kind, key, tenant) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
);
const held = sql('held_steps.groups', 'SELECT DISTINCT tenant, kind FROM held_steps');
const release = sql(
  'held_steps.release',
  'DELETE FROM held_steps WHERE tenant = $1 AND kind = $2 RETURNING key',
);

/** Steps that the tenant setting `simulator` holds (SAND-13). They continue automatically once the hold is lifted. */
@Injectable()
export class HeldSteps implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | null = null;
  #looking = false;

  constructor(
    private readonly db: Database,
    private readonly settings: TenantSettings,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => void this.look(), CHECK_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Returns whether the tenant holds this step. If so, it stores the step, and the caller ends the due work for now. */
  async keeps(hold: Hold, work: DueWork): Promise<boolean> {
    const { settings } = await this.settings.now(work.tenant);
    if (!settings.simulator[hold]) return false;
    await this.db.query(keep, [work.kind, work.key, work.tenant]);
    return true;
  }

  /** Reschedules the steps that are no longer held. */
  private async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      for (const group of await this.db.query<{ tenant: string; kind: string }>(held))
        await this.releaseLifted(group);
    } catch (error) {
      this.log.error('held steps could not be checked', error);
    } finally {
      this.#looking = false;
    }
  }

  private async releaseLifted({ tenant, kind }: { tenant: string; kind: string }): Promise<void> {
    const { settings } = await this.settings.now(tenant);
    const hold = HOLD_OF[kind];
    if (hold && settings.simulator[hold]) return;
    await this.db.transaction(async (tx) => {
      const steps = await tx.query<{ key: string }>(release, [tenant, kind]);
      for (const { key } of steps) await scheduleDue(tx, { kind, key, tenant, due_at: tx.now });
    });
  }
}
