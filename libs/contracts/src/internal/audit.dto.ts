import { z } from 'zod';

/** `POST /internal/audit_entries` (identity): another service begins an admin call, which has no effect without its row (contract §8). */
export const beginAudit = z.strictObject({
  tenant: z.string(),
  client_id: z.string(),
  method: z.string(),
  path: z.string(),
  request_id: z.string(),
});
export type BeginAudit = z.infer<typeof beginAudit>;
export const auditBegun = z.strictObject({ id: z.int() });

/** `POST /internal/audit_entries/:id/status`: what the call was answered with. */
export const endAudit = z.strictObject({ status: z.int() });
export type EndAudit = z.infer<typeof endAudit>;
export const auditEnded = z.strictObject({ ended: z.literal(true) });
