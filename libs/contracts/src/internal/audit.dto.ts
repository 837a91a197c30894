import { z } from 'zod';

/** `POST /internal/audit_entries` (identity): a service of the previous release starts an admin call, which has no effect without its row (ADMIN-9). */
export const beginAudit = z.strictObject({
  tenant: z.string(),
  client_id: z.string(),
  method: z.string(),
  path: z.string(),
  request_id: z.string(),
});
export type BeginAudit = z.infer<typeof beginAudit>;
export const auditStarted = z.strictObject({ id: z.int() });

/** `POST /internal/audit_entries/:id/status`: the status of the call's response. */
export const endAudit = z.strictObject({ status: z.int() });
export type EndAudit = z.infer<typeof endAudit>;
export const auditEnded = z.strictObject({ ended: z.literal(true) });

/**
 * `POST /internal/operator_calls` (identity): a service admits an operator's call, or has refused one. `tenant` and `client_id` are the
 * token's, null without a valid token; `acted_in` is the tenant that the call acts on; `named_tenant` is the one in `x-tenant-id`, null
 * when it is the token's own. `status` is null while the call runs.
 */
export const beginOperatorCall = z.strictObject({
  tenant: z.string().nullable(),
  client_id: z.string().nullable(),
  acted_in: z.string().nullable(),
  named_tenant: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  request_id: z.string(),
  status: z.int().nullable(),
});
export type BeginOperatorCall = z.infer<typeof beginOperatorCall>;

/**
 * The query of `POST /internal/operator_calls`: an id that the caller generates for this call, so that a retry finds the same row.
 * It is not in the body because the previous release refuses unknown fields there; it ignores the query.
 */
export const beginOperatorCallQuery = z.object({ call: z.uuid().optional() });

/** `is_tenant_known`: whether the tenant `named_tenant` exists; true when it is null. */
export const operatorCallStarted = z.strictObject({ id: z.int(), is_tenant_known: z.boolean() });
export type OperatorCallStarted = z.infer<typeof operatorCallStarted>;

/** `POST /internal/operator_calls/:id/repeats`: the same refusal occurred this many times more. */
export const repeatedRefusals = z.strictObject({ more: z.int().positive() });
export type RepeatedRefusals = z.infer<typeof repeatedRefusals>;
