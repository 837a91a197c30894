import {
  DEFAULT_PER_SECOND,
  istTimestamp,
  postbackUrlFault,
  ValidationFailed,
  type ChangeTenantSettings,
  type FieldError,
  type OwnTenantDto,
  type TenantDto,
  type TenantLogo,
  type TenantSettings,
} from '@fundrail/contracts';
import { choiceFaults, SANDBOX_CHOICES } from '@fundrail/policies';
import type { Cell } from '@fundrail/service-kit/crypto';
import { readLogo, type Logo } from './logo.ts';
import type { TenantRow } from './tenant.table.ts';

/** The cell that stores a tenant's postback secret, encrypted. */
export function postbackSecretCell(name: string): Cell {
  return { table: 'tenants', column: 'postback_secret_encrypted', tenant: name, key: [name] };
}

/** Settings added after the first release, with the values for tenants created before. */
const LATER_SETTINGS: Pick<
  TenantSettings,
  'verify_endpoints' | 'display_name' | 'logo' | 'policies' | 'compatibility'
> = {
  verify_endpoints: false,
  display_name: null,
  logo: null,
  policies: {},
  compatibility: null,
};

/** The settings of a tenant that was created without any (ADMIN-7). UPI collect is off outside the sandbox. */
export function defaultSettings(sandbox: boolean): TenantSettings {
  return {
    sdk_options_enabled: false,
    upi_collect_enabled: sandbox,
    payment_provider: 'GATEWAYPOA',
    default_postback_url: null,
    operator_name: 'fundrail',
    ...LATER_SETTINGS,
    policies: sandbox ? { ...SANDBOX_CHOICES } : {},
    rate_limits: { reads_per_second: DEFAULT_PER_SECOND, writes_per_second: DEFAULT_PER_SECOND },
    simulator: { hold_transfer: false, hold_review: false, hold_registrar: false },
  };
}

/**
 * The settings after a change. Throws `ValidationFailed` with each setting that is not allowed. `within` is the prefix of a
 * setting's name in the request, such as `settings.`.
 */
export function changedSettings(
  settings: TenantSettings,
  changes: ChangeTenantSettings,
  { sandbox, now, within = '' }: { readonly sandbox: boolean; readonly now: Date; readonly within?: string },
): TenantSettings {
  const errors = [
    ...postbackErrors(changes.default_postback_url, sandbox),
    ...simulatorErrors(changes, sandbox),
    ...logoErrors(changes.logo),
    ...Object.entries(changes.policies ?? {}).flatMap(([name, choice]) =>
      choiceFaults(name, choice ?? {}, now),
    ),
  ];
  if (errors.length > 0)
    throw new ValidationFailed(errors.map(({ field, message }) => ({ field: `${within}${field}`, message })));
  const { rate_limits: rates, simulator, logo, policies, ...rest } = changes;
  const changed = {
    ...given(settings, rest),
    logo: logo === undefined ? settings.logo : shownLogo(logo),
    policies: withChoices(settings.policies, policies ?? {}),
    rate_limits: given(settings.rate_limits, rates ?? {}),
    simulator: given(settings.simulator, simulator ?? {}),
  };
  const concernsCollect =
    changes.upi_collect_enabled !== undefined || policies?.['upi_collect'] !== undefined;
  if (concernsCollect && !sandbox && isCollectUnnamed(changed))
    throw new ValidationFailed([
      {
        field: `${within}policies.upi_collect.exemption`,
        message: 'is required with upi_collect_enabled: why the merchant may still send collect requests',
      },
    ]);
  return changed;
}

/** Whether collect is enabled without the exemption that allows it (FLOW-4). */
function isCollectUnnamed({ upi_collect_enabled, policies }: TenantSettings): boolean {
  return upi_collect_enabled && policies['upi_collect']?.['exemption'] === undefined;
}

/** The choices after a change: a parameter that is left out keeps its value, and null takes a policy's choice back. */
function withChoices(
  choices: TenantSettings['policies'],
  changes: NonNullable<ChangeTenantSettings['policies']>,
): TenantSettings['policies'] {
  const all = new Map(Object.entries(choices));
  for (const [name, choice] of Object.entries(changes)) {
    if (choice === null) all.delete(name);
    else all.set(name, { ...all.get(name), ...choice });
  }
  return Object.fromEntries(all);
}

/** `base` with every change that has a value. */
function given<T extends object>(base: T, changes: { readonly [K in keyof T]?: T[K] | undefined }): T {
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(named) };
}

function postbackErrors(text: string | null | undefined, sandbox: boolean): FieldError[] {
  const message = text ? postbackUrlFault(text, sandbox) : null;
  return message === null ? [] : [{ field: 'default_postback_url', message }];
}

function simulatorErrors(changes: ChangeTenantSettings, sandbox: boolean): FieldError[] {
  if (changes.simulator === undefined || sandbox) return [];
  return [{ field: 'simulator', message: 'is a setting of the sandbox only' }];
}

function logoErrors(uri: string | null | undefined): FieldError[] {
  const read = uri ? readLogo(uri) : null;
  if (uri === '') return [{ field: 'logo', message: 'must be a data URI, or null' }];
  return typeof read === 'string' ? [{ field: 'logo', message: read }] : [];
}

/** The stored setting for a logo. Throws for an invalid one, which `logoErrors` has refused before. */
function shownLogo(uri: string | null): TenantLogo | null {
  if (uri === null) return null;
  const { content: _, ...shown } = logoOf(uri);
  return shown;
}

/** The logo of a data URI that `changedSettings` has accepted. */
export function logoOf(uri: string): Logo {
  const read = readLogo(uri);
  if (typeof read === 'string') throw new Error(`a checked logo ${read}`);
  return read;
}

/** Settings as stored: a row of an earlier release lacks the later ones. */
type StoredSettings = Omit<TenantSettings, keyof typeof LATER_SETTINGS> & Partial<typeof LATER_SETTINGS>;

/** Every setting of a tenant. One that its row lacks has its default. */
export function settingsOf({ settings }: { readonly settings: StoredSettings }): TenantSettings {
  return { ...LATER_SETTINGS, ...settings };
}

/** The tenant as its clients read it, without the settings that only an operator needs. */
export function toOwnTenant({ name, settings }: TenantRow): OwnTenantDto {
  return { object: 'tenant', name, operator_name: settings.operator_name };
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
