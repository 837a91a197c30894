import { z } from 'zod';
import { COMPATIBILITIES } from './compatibility/names.ts';
import { PROVIDER_NAMES } from './provider-facts.ts';
import { secretNotice, shownOnce } from './shown-once.ts';
import { plainText, shownName } from './text.ts';
import { timestamp } from './time.ts';

/** A tenant's name, used as a path segment and in `x-tenant-id`. */
export const tenantName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]{1,62}$/,
    'must be 2 to 63 characters of a-z, 0-9, - and _, beginning with a letter',
  );

// Far above what one tenant can use; keeps a typing error from switching the limit off.
const perSecond = z.int().min(1).max(100_000);

const rateLimits = { reads_per_second: perSecond, writes_per_second: perSecond };
/** Steps that the simulator holds back so that the states before them can be tested (SAND-13). */
const holds = { hold_transfer: z.boolean(), hold_review: z.boolean(), hold_registrar: z.boolean() };

/** Image types allowed for a logo; none can contain a script. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export const MOST_LOGO_BYTES = 65_536;
/** Width and height, in pixels. */
export const MOST_LOGO_SIDE = 512;
/** Longer than the largest logo in base64. For a text below this that is still too large, the error states the limit in KiB. */
const LONGEST_LOGO_TEXT = 100_000;
/** The app's name must fit beside its logo on a phone. */
const LONGEST_APP_NAME = 40;

/** A logo as a tenant's settings show it; `sha256` is that of its bytes, in hex. */
export const tenantLogo = z
  .strictObject({
    media_type: z.enum(LOGO_TYPES),
    width: z.int(),
    height: z.int(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  })
  .meta({ id: 'TenantLogo' });
export type TenantLogo = z.infer<typeof tenantLogo>;

const logoDataUri = z
  .string()
  .max(LONGEST_LOGO_TEXT)
  .meta({
    description:
      'A base64 data URI: PNG, JPEG or WebP, not animated, at most 64 KiB and 512 x 512 pixels. SVG is refused because it can contain scripts. null removes the logo.',
    examples: ['data:image/png;base64,iVBORw0KGgo…'],
  });

/** What operators choose for a tenant within a policy, by parameter (POL-7). */
export const policyChoice = z.record(
  z.string(),
  z.union([z.string(), z.int().nonnegative(), z.boolean()], {
    error: 'must be a text, a whole number that is not negative, or true or false',
  }),
);

const settings = {
  sdk_options_enabled: z.boolean(),
  upi_collect_enabled: z.boolean(),
  payment_provider: z.enum(PROVIDER_NAMES),
  default_postback_url: plainText(2048).pipe(z.url()).nullable(),
  /** The name that the investor sees in the UPI app and on the statement (ADMIN-8). */
  operator_name: shownName(99),
  /** The app's name on the payment page; null shows the operator's name. */
  display_name: shownName(LONGEST_APP_NAME).nullable(),
  /** Whether a webhook endpoint must answer a challenge before it receives events (docs/webhooks.md, "Verification"). */
  verify_endpoints: z.boolean(),
  /** Whose names clients of the tenant receive: those of the upstream interface, or ours with null (COMP-1). */
  compatibility: z.enum(COMPATIBILITIES).nullable(),
};

/** Every setting of a tenant with its value (ADMIN-6). */
const tenantSettings = z
  .strictObject({
    ...settings,
    logo: tenantLogo.nullable(),
    policies: z.record(z.string(), policyChoice),
    rate_limits: z.strictObject(rateLimits),
    simulator: z.strictObject(holds),
  })
  .meta({ id: 'TenantSettings' });
export type TenantSettings = z.infer<typeof tenantSettings>;

/** `PATCH /admin/tenants/:name/settings`: an omitted setting keeps its value. */
export const changeTenantSettings = z
  .strictObject({
    ...settings,
    logo: logoDataUri.nullable(),
    policies: z.record(z.string(), policyChoice.nullable()).meta({
      description:
        'By the name of a policy, what is chosen within it. A parameter that is left out keeps its value; null takes the choice back.',
      examples: [{ upi_per_transaction_limit: { max: 100000 } }],
    }),
    rate_limits: z.strictObject(rateLimits).partial(),
    simulator: z.strictObject(holds).partial(),
  })
  .partial()
  .meta({ id: 'ChangeTenantSettings' });
export type ChangeTenantSettings = z.infer<typeof changeTenantSettings>;

/** A tenant as GET returns it, without its secret. */
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

/** `GET /v2/tenant`: the caller's own tenant. */
export const ownTenant = z
  .strictObject({ object: z.literal('tenant'), name: tenantName, operator_name: z.string() })
  .meta({ id: 'OwnTenant' });
export type OwnTenantDto = z.infer<typeof ownTenant>;

/** `POST /admin/tenants`. */
export const createTenant = z
  .strictObject({ name: tenantName, settings: changeTenantSettings.optional() })
  .meta({ id: 'CreateTenant' });
export type CreateTenantDto = z.output<typeof createTenant>;

/** Response of creation, the only one with `postback_secret` (ADMIN-1). A repeated response has null. */
export const createdTenant = z
  .strictObject({ ...tenant.shape, postback_secret: shownOnce, secret_notice: secretNotice })
  .meta({ id: 'CreatedTenant' });
export type CreatedTenantDto = z.infer<typeof createdTenant>;

/** Scopes that a client may have. A client without scopes is an ordinary client of its tenant. */
const CLIENT_SCOPES = ['admin', 'bank_accounts:reveal'] as const;

/** A space-separated list of scopes (RFC 6749 §3.3), or the empty string. */
const scopeList = z
  .string()
  .max(200)
  .refine(
    (text) =>
      text.split(' ').every((scope) => scope === '' || CLIENT_SCOPES.some((known) => known === scope)),
    {
      message: `may contain only: ${CLIENT_SCOPES.join(', ')}`,
    },
  )
  .transform((text) => [...new Set(text.split(' ').filter(Boolean))].join(' '));

/** `POST /admin/tenants/:tenant/clients`. */
export const createClient = z.strictObject({ scope: scopeList.default('') }).meta({ id: 'CreateClient' });

/** A client as GET returns it, without its secret. */
export const client = z
  .strictObject({
    object: z.literal('client'),
    client_id: z.string(),
    scope: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'ApiClient' });
export type ClientDto = z.infer<typeof client>;

/** Response of creation, the only one with the secret. A repeated response has null. */
export const createdClient = z
  .strictObject({
    ...{ client_id: z.string(), client_secret: shownOnce, scope: z.string() },
    secret_notice: secretNotice,
  })
  .meta({ id: 'CreatedClient' });
export type CreatedClientDto = z.infer<typeof createdClient>;

/**
 * One call of an operator, or a refused one (ADMIN-9). `tenant` and `client_id` are the token's, null without a valid token;
 * `acted_in` is the tenant that the call acted on, null in entries of earlier releases. `status` is null while the call runs, and
 * stays null when its process died. `times`: how often the same refusal occurred within that minute.
 */
export const auditEntry = z
  .strictObject({
    object: z.literal('audit_entry'),
    id: z.int(),
    at: timestamp,
    tenant: z.string().nullable(),
    client_id: z.string().nullable(),
    acted_in: z.string().nullable(),
    method: z.string(),
    path: z.string(),
    status: z.int().nullable(),
    request_id: z.string(),
    times: z.int(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryDto = z.infer<typeof auditEntry>;

/** Successful response of `POST /v2/auth/:tenant/token` (AUTH-2). Times in seconds. */
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

/** The errors of RFC 6749 §5.2 that the token endpoint returns, each with its status. */
export const TOKEN_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
} as const;
export type TokenErrorCode = keyof typeof TOKEN_ERRORS;

/** Error response of the token endpoint, RFC 6749 §5.2. */
export const tokenError = z
  .strictObject({
    error: z.enum(Object.keys(TOKEN_ERRORS) as [TokenErrorCode, ...TokenErrorCode[]]),
    error_description: z.string(),
  })
  .meta({ id: 'TokenError' });
export type TokenErrorDto = z.infer<typeof tokenError>;
