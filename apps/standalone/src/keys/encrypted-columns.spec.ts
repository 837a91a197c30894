import { encryptedColumnsOf } from '@fundrail/service-kit';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { definitions } from '../services.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

/** Each source that encrypts, and the columns that store its values: the service's list must contain them. */
const ENCRYPTING: Readonly<Record<string, readonly string[]>> = {
  'apps/identity/src/bank-account/bank-account.ts': ['bank_accounts.account_number_encrypted'],
  'apps/identity/src/profile-detail/profile-detail.ts': ['profile_details.content_encrypted'],
  'apps/identity/src/seed/ensure-operator.ts': ['tenants.postback_secret_encrypted'],
  'apps/identity/src/seed/seed-sandbox.ts': ['tenants.postback_secret_encrypted'],
  'apps/identity/src/signing-key/rotate-signing-keys.ts': ['signing_keys.private_jwk_encrypted'],
  'apps/identity/src/tenant/create-tenant.ts': ['tenants.postback_secret_encrypted'],
  'apps/webhooks/src/notification-webhook/create-notification-webhook.ts': [
    'notification_webhooks.secret_encrypted',
  ],
  'apps/webhooks/src/notification-webhook/rotate-secret.ts': [
    'notification_webhooks.old_secrets',
    'notification_webhooks.secret_encrypted',
  ],
  'libs/service-kit/src/hashing/hashing-secret.ts': ['hashing_secrets.secret_encrypted'],
  'libs/service-kit/src/http/idempotency/held-key.ts': ['idempotency_keys.body'],
};

/**
 * Each source that makes a keyed hash, and the column that stores it; null if the hash is part of a link, whose lifetime the service's
 * `keyedLinks` declares.
 */
const HASHING: Readonly<Record<string, string | null>> = {
  'apps/identity/src/bank-account/bank-account.ts': 'bank_accounts.account_number_hash',
  'apps/payments/src/collection/checkout-page/checkout-token.ts': null,
};

/** The code that builds the list, and the command itself. */
const MACHINERY = /^libs\/service-kit\/src\/(crypto|keys)\//;

const sourcesWith = (words: RegExp): string[] =>
  globSync('{apps,libs}/*/src/**/*.ts', { cwd: ROOT })
    .filter((file) => !/\.spec\.ts$|\/testing\//.test(file) && !MACHINERY.test(file))
    .filter((file) => words.test(readFileSync(join(ROOT, file), 'utf8')))
    .sort();

const services = definitions(true);
const listed = services.flatMap(encryptedColumnsOf);

describe('the columns that npm run keys re-encrypts (DATA-6)', () => {
  it.each(services.map((service) => [service.name, service] as const))(
    'include each column of %s whose name ends in _encrypted',
    (name, service) => {
      const migrations = globSync(`apps/${name}/src/migrations/*.ts`, { cwd: ROOT })
        .filter((file) => !file.endsWith('.spec.ts'))
        .map((file) => readFileSync(join(ROOT, file), 'utf8'));
      const named = migrations.flatMap((text) => text.match(/\b\w+_encrypted\b/g) ?? []);
      const known = encryptedColumnsOf(service).map(({ column }) => column);
      expect(named.filter((column) => !known.includes(column))).toEqual([]);
    },
  );

  it('include everything that a source encrypts (AUTH-10)', () => {
    expect(sourcesWith(/\bencrypt\(/)).toEqual(Object.keys(ENCRYPTING).sort());
    const targets = [...new Set(Object.values(ENCRYPTING).flat())].sort();
    expect([...new Set(listed.map(({ table, column }) => `${table}.${column}`))].sort()).toEqual(targets);
  });

  it('include every column with a keyed hash; links made of one declare their lifetime', () => {
    expect(sourcesWith(/\bkeyedHash(es)?\(/)).toEqual(Object.keys(HASHING).sort());
    const kept = Object.values(HASHING).filter((column) => column !== null);
    const hashes = listed.flatMap(({ table, hash }) => (hash === undefined ? [] : [`${table}.${hash}`]));
    expect(hashes).toEqual([...new Set(kept)]);
    const linking = Object.entries(HASHING).flatMap(([file, column]) => (column === null ? [file] : []));
    const bounded = services.flatMap(({ name, keyedLinks }) => (keyedLinks === undefined ? [] : [name]));
    expect(linking.map((file) => file.split('/')[1])).toEqual(bounded);
  });
});
