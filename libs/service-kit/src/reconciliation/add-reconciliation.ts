import type { ModulesContainer } from '@nestjs/core';
import type { KitParts } from '../bootstrap/kit-parts.ts';
import { instancesIn } from '../bootstrap/instances.ts';
import { eventChecks } from './event.checks.ts';
import { ReconciliationCheck } from './reconciliation-check.ts';
import { addReconciliationMetrics } from './reconciliation-metrics.ts';
import { ReconciliationLane } from './reconciliation.lane.ts';

/** Adds the lane that runs every `ReconciliationCheck` among the application's providers and those of the event log, and its metrics. */
export function addReconciliation(parts: KitParts, modules: ModulesContainer): void {
  const { definition, database, clock, log, client, strategy, dueWorker, metrics } = parts;
  const own = [...instancesIn(modules)].filter((instance) => instance instanceof ReconciliationCheck);
  const events = eventChecks(definition.name, strategy?.types ?? [], database, client);
  dueWorker.addLane(new ReconciliationLane(clock, database, log, [...own, ...events]));
  addReconciliationMetrics(metrics, database);
}
