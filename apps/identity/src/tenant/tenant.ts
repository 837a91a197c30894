import {
  DEFAULT_PER_SECOND,
  istTimestamp,
  ValidationFailed,
  type ChangeTenantSettings,
  type FieldError,
  type TenantDto,
  type TenantSettings,
} from '@fundrail/contracts';
import type { TenantRow } from './tenant.entity.ts';

/** The settings of a tenant that named none (contract §10). UPI collect is off outside the sandbox. */
export function defaultSettings(sandbox: boolean): TenantSettings {
  return {
    sdk_options_enabled: false,
    upi_collect_enabled: sandbox,
    payment_provider: 'GATEWAYPOA',
    default_postback_url: null,
    operator_name: 'fundrail',
    rate_limits: { reads_per_second: DEFAULT_PER_SECOND, writes_per_second: DEFAULT_PER_SECOND },
    simulator: { hold_transfer: false, hold_review: false, hold_registrar: false },
  };
}

/**
 * The settings after a change. Throws `ValidationFailed` naming each setting that may not be so; `within` is what stands
 * before a setting's name in the request, such as `settings.`.
 */
export function changedSettings(
  settings: TenantSettings,
  changes: ChangeTenantSettings,
  sandbox: boolean,
  within = '',
): TenantSettings {
  const errors = [
    ...postbackErrors(changes.default_postback_url, sandbox),
    ...simulatorErrors(changes, sandbox),
  ];
  if (errors.length > 0)
    throw new ValidationFailed(errors.map(({ field, message }) => ({ field: `${within}${field}`, message })));
  const { rate_limits: rates, simulator, ...rest } = changes;
  return {
    ...given(settings, rest),
    rate_limits: given(settings.rate_limits, rates ?? {}),
    simulator: given(settings.simulator, simulator ?? {}),
  };
}

/** `base` with every change that names a value. */
function given<T extends object>(base: T, changes: { readonly [K in keyof T]?: T[K] | undefined }): T {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(named) };
}

/** A postback URL is https, or http to this machine in the sandbox, and has no credentials (contract §3 "Postback"). */
function postbackErrors(text: string | null | undefined, sandbox: boolean): FieldError[] {
  if (!text) return [];
  const url = new URL(text);
  const field = 'default_postback_url';
  if (url.username || url.password) return [{ field, message: 'must not carry credentials' }];
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && sandbox && local)) return [];
  return [{ field, message: 'must begin with https://' }];
}

function simulatorErrors(changes: ChangeTenantSettings, sandbox: boolean): FieldError[] {
  if (changes.simulator === undefined || sandbox) return [];
  return [{ field: 'simulator', message: 'is a setting of the sandbox only' }];
}

export function toTenant(row: TenantRow): TenantDto {
  return {
    object: 'tenant',
    id: row.id,
    name: row.name,
    settings: row.settings,
    created_at: istTimestamp(row.created_at),
  };
}
