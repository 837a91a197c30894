import { z } from 'zod';
import { PROVIDER_NAMES } from './payment.dto.ts';
import { plainText } from './text.ts';
import { timestamp } from './time.ts';

/** A tenant's name: it is a path segment and the value of `x-tenant-id`. */
export const tenantName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{1,62}$/, 'must be 2 to 63 of a-z, 0-9, - and _, beginning with a letter');

// Far above what one tenant can use here; it only keeps a slip of the finger from switching the limit off.
const perSecond = z.int().min(1).max(100_000);

const rateLimits = { reads_per_second: perSecond, writes_per_second: perSecond };
/** Steps that the simulator keeps waiting so that what lies between can be tested (contract §10 "Sandbox"). */
const holds = { hold_transfer: z.boolean(), hold_review: z.boolean(), hold_registrar: z.boolean() };

const settings = {
  sdk_options_enabled: z.boolean(),
  upi_collect_enabled: z.boolean(),
  payment_provider: z.enum(PROVIDER_NAMES),
  default_postback_url: plainText(2048).pipe(z.url()).nullable(),
  /** The name that the investor sees in the UPI app and on the statement (interface "What the service does", 5). */
  operator_name: z.string().trim().pipe(plainText(99)),
};

/** Every setting of a tenant with its value (contract §0.3). */
export const tenantSettings = z
  .strictObject({ ...settings, rate_limits: z.strictObject(rateLimits), simulator: z.strictObject(holds) })
  .meta({ id: 'TenantSettings' });
export type TenantSettings = z.infer<typeof tenantSettings>;

/** `PATCH /admin/tenants/:name/settings`: what is left out keeps its value. */
export const changeTenantSettings = z
  .strictObject({
    ...settings,
    rate_limits: z.strictObject(rateLimits).partial(),
    simulator: z.strictObject(holds).partial(),
  })
  .partial()
  .meta({ id: 'ChangeTenantSettings' });
export type ChangeTenantSettings = z.infer<typeof changeTenantSettings>;

/** A tenant as GET answers it: without its secret. */
export const tenant = z
  .strictObject({
    object: z.literal('tenant'),
    id: z.string(),
    name: tenantName,
    settings: tenantSettings,
    created_at: timestamp,
  })
  .meta({ id: 'Tenant' });
export type TenantDto = z.infer<typeof tenant>;

/** `POST /admin/tenants`. */
export const createTenant = z
  .strictObject({ name: tenantName, settings: changeTenantSettings.optional() })
  .meta({ id: 'CreateTenant' });
export type CreateTenantDto = z.output<typeof createTenant>;

/** The answer to its creation: the only one that shows `postback_secret` (contract §3 "Postback"). */
export const createdTenant = z
  .strictObject({ ...tenant.shape, postback_secret: z.string() })
  .meta({ id: 'CreatedTenant' });
export type CreatedTenantDto = z.infer<typeof createdTenant>;

/** Scopes a client may hold. No scope is an ordinary client of its tenant. */
export const CLIENT_SCOPES = ['admin'] as const;

/** A space-separated list of scopes (RFC 6749 §3.3), or the empty string. */
export const scopeList = z
  .string()
  .max(200)
  .refine(
    (text) =>
      text.split(' ').every((scope) => scope === '' || CLIENT_SCOPES.some((known) => known === scope)),
    {
      message: `may hold only: ${CLIENT_SCOPES.join(', ')}`,
    },
  )
  .transform((text) => [...new Set(text.split(' ').filter(Boolean))].join(' '));

/** `POST /admin/tenants/:tenant/clients`. */
export const createClient = z.strictObject({ scope: scopeList.default('') }).meta({ id: 'CreateClient' });

/** A client as GET answers it: without its secret. */
export const client = z
  .strictObject({
    object: z.literal('client'),
    client_id: z.string(),
    scope: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'Client' });
export type ClientDto = z.infer<typeof client>;

/** The answer to its creation: the only one that shows the secret. */
export const createdClient = z
  .strictObject({ client_id: z.string(), client_secret: z.string(), scope: z.string() })
  .meta({ id: 'CreatedClient' });
export type CreatedClientDto = z.infer<typeof createdClient>;

/** One call of a route that only the scope `admin` may use (contract §8). `status` is null while the call runs, or when its process died. */
export const auditEntry = z
  .strictObject({
    object: z.literal('audit_entry'),
    id: z.int(),
    at: timestamp,
    tenant: z.string(),
    client_id: z.string(),
    method: z.string(),
    path: z.string(),
    status: z.int().nullable(),
    request_id: z.string(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryDto = z.infer<typeof auditEntry>;

/** A successful answer of `POST /v2/auth/:tenant/token` (contract §0.3). Times in seconds. */
export const accessToken = z
  .strictObject({
    access_token: z.string(),
    expires_in: z.int(),
    refresh_expires_in: z.int(),
    token_type: z.literal('Bearer'),
    'not-before-policy': z.int(),
    scope: z.string(),
  })
  .meta({ id: 'AccessToken' });
export type AccessTokenDto = z.infer<typeof accessToken>;

/** A refusal of the token endpoint, RFC 6749 §5.2. */
export const tokenError = z
  .strictObject({ error: z.string(), error_description: z.string() })
  .meta({ id: 'TokenError' });
