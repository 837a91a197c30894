import { mandate, type MandateFacts } from '@fundrail/contracts';
import { objectOfEvent } from '@fundrail/testing';

/** A mandate as the events of mandates carry it. */
export function mandateObject({
  tenant: _tenant,
  investor_profile: _investor,
  ...facts
}: MandateFacts): object {
  return objectOfEvent(mandate, { ...facts, object: 'mandate', created_at: '2026-01-01T10:00:00.000+05:30' });
}
