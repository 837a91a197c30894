import type { MandateFacts } from '@fundrail/contracts';

/** A mandate as the events of mandates carry it. */
export function mandateObject(mandate: MandateFacts): object {
  const { tenant: _tenant, investor_profile: _investor, ...facts } = mandate;
  return {
    ...facts,
    ...{ rejected_reason: null, created_at: '2026-01-01T10:00:00.000+05:30', received_at: null },
    ...{ submitted_at: null, approved_at: null, rejected_at: null, cancelled_at: null, paused_at: null },
    ...{ expired_at: null, source_ref_id: null },
  };
}
