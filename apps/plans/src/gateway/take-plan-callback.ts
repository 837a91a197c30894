import { readOrRefuse } from '@fundrail/providers';
import type { CallbackHeaders, PlanCallback, PlanGateway } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { sql, type Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Inject, Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PLAN_DUE } from '../plan/plan-due.ts';
import { lockPlanByReference } from '../plan/plan.repository.ts';
import { LearnPlanFacts } from './learn-plan-facts.ts';
import { PLAN_GATEWAY } from './plan-gateway.ts';

const note = sql(
  'gateway_events.note',
  `INSERT INTO gateway_events (event_id, reference, received_at) VALUES ($1, $2, $3)
   ON CONFLICT DO NOTHING RETURNING event_id`,
);

/**
 * Takes a callback of the order gateway about a plan: checks its signature and applies it. Its event id is stored in the same transaction as its effect, so it is applied once.
 */
@Injectable()
export class TakePlanCallback {
  constructor(
    @Inject(PLAN_GATEWAY) private readonly gateway: PlanGateway,
    private readonly database: Database,
    private readonly learn: LearnPlanFacts,
    private readonly log: Log,
  ) {}

  async execute(headers: CallbackHeaders, body: string, signature: string): Promise<void> {
    const callback = await readOrRefuse(() => this.gateway.readCallback(headers, body), signature);
    await this.database.transaction(async (tx) => {
      const noted = await tx.query(note, [callback.event_id, callback.reference, tx.now]);
      if (noted.length > 0) await this.apply(tx, callback);
      await passFaultPoint('plans.callback.before_commit');
    });
    await passFaultPoint('plans.callback.committed');
  }

  private async apply(tx: Tx, { event_id, reference, status }: PlanCallback): Promise<void> {
    const row = await lockPlanByReference(tx, reference);
    if (!row) {
      this.log.warn('received a callback about an unknown plan', { event_id });
      return;
    }
    if (status) {
      await this.learn.executeIn(tx, row, status);
      return;
    }
    // The signature is valid, but the content is unknown: ask the gateway instead.
    this.log.warn('received a callback that is not understood', { event_id, id: row.id });
    await scheduleDue(tx, { kind: PLAN_DUE.status, key: row.id, tenant: row.tenant, due_at: tx.now });
  }
}
