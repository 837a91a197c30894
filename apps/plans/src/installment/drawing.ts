import {
  EVENTS,
  newId,
  stringifyJson,
  type DrawResult,
  type EventType,
  type PlanInstallment,
  type PurchaseInstallment,
} from '@fundrail/contracts';
import type { NewEvent } from '@fundrail/messaging';
import { amended } from '@fundrail/state-machines';
import { machineOf, type Plan, type PlanStep } from '../plan/plan.ts';

type Refusal = Extract<DrawResult, { outcome: 'refused' }>;

/** The event by which orders receives an installment of the kind. */
const GENERATED = {
  redemption: 'mf_redemption_plan.installment_generated',
  purchase: 'mf_purchase_plan.installment_generated',
} as const satisfies Record<Plan['kind'], EventType>;

/**
 * The plan whose next installment the caller may have, or the reason for the refusal. `known` is what the redemption has drawn from
 * another plan.
 */
export function judgeDraw(row: Plan | null, known: PlanInstallment | null): Plan | Refusal {
  if (!row) return onPlan('is not a redemption plan of this tenant');
  if (known) return onPlan(`cannot be used: ${known.redemption} belongs to ${known.plan}`);
  if (row.auto_generate) return onPlan('generates its installments by itself');
  if (row.state !== 'active')
    return illegal(`${row.id} is "${row.state}": installments are drawn while it is "active"`);
  if (row.made >= row.number_of_installments)
    return illegal(
      `${row.id} has had all its ${row.number_of_installments} installments: it goes from "active" to "completed" when they end`,
    );
  return row;
}

function onPlan(message: string): Refusal {
  const errors = [{ field: 'plan', message }];
  return {
    outcome: 'refused',
    code: 'BAD_REQUEST_ERROR',
    message: 'Validation failed. 1 error(s)',
    errors,
  };
}

function illegal(message: string): Refusal {
  return { outcome: 'refused', code: 'ILLEGAL_TRANSITION', message, errors: [] };
}

/**
 * Publishes an installment by itself: a step that counts the plan's events, and the event, whose object is the installment instead of
 * the plan.
 */
export function installmentPublication(row: Plan): {
  readonly counted: PlanStep;
  event(installment: PlanInstallment | PurchaseInstallment, now: Date, traceparent: string | null): NewEvent;
} {
  const type = GENERATED[row.kind];
  const { row: after } = amended(machineOf(row), row, 'tell_installment', { events: [type] });
  return {
    counted: { row: after, trigger: 'tell_installment', from: row.state, events: [] },
    event: (installment, now, traceparent) => ({
      ...{ id: newId('event'), type, version: EVENTS[type].version, tenant: row.tenant },
      ...{ aggregate_id: row.id, sequence: after.event_seq, occurred_at: now, traceparent },
      data: stringifyJson({ object: installment, previous_attributes: null }),
    }),
  };
}
