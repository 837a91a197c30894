import type { DELIVERY_FAILURE_CODES, DELIVERY_STATUSES } from '@fundrail/contracts';
import { boolean, defineTable, integer, text, timestamptz, type RowOf } from '@fundrail/persistence';

/** One event on its way to one endpoint. `due_at` is business time, the lease is wall time. */
export const WEBHOOK_DELIVERIES = defineTable('webhook_deliveries', {
  id: text().primary(),
  tenant: text(),
  webhook: text(),
  event: text(),
  type: text(),
  object_id: text(),
  subject: text(),
  sequence: integer(),
  status: text<(typeof DELIVERY_STATUSES)[number]>().bySteps(),
  /** Null unless it was given up, and for deliveries from before this column existed. */
  failure_code: text<(typeof DELIVERY_FAILURE_CODES)[number]>().nullable().byLaterSteps(),
  in_order: boolean().bySteps(),
  tries: integer().bySteps(),
  /** Null when it has ended, and while it is held behind an earlier event of its object. */
  due_at: timestamptz().nullable().bySteps(),
  /** The retry table's time of the next attempt, set when a success of the endpoint made an attempt due earlier. Business time. */
  planned_at: timestamptz().nullable().byLaterSteps(),
  /** How many events were held behind it. When it ends, the first of those is released. */
  followers: integer().aside(),
  lease_token: text().nullable().byLaterSteps(),
  leased_until: timestamptz().nullable().byLaterSteps(),
  /** The replay that created it; null when its event created it, and after a manual retry. */
  replay: text().nullable().byLaterSteps(),
  /** The replay that created it, set by a manual retry. */
  retried_of: text().nullable().byLaterSteps(),
  created_at: timestamptz(),
});

export type DeliveryRow = RowOf<typeof WEBHOOK_DELIVERIES>;
