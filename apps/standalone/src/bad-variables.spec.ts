import { PROVIDER_NAMES, SERVICES, urlVariableOf } from '@fundrail/contracts';
import { BadEnvironment, checkEnvironment, SANDBOX_SECRETS, type Environment } from '@fundrail/service-kit';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { definitions } from './services.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

const SCHEMAS = [
  ...['apps/*/src/**/*config.ts', 'libs/service-kit/src/config/*.ts', 'libs/providers/src/*/*.provider.ts'],
];
/** Every variable that a schema in the sources names, or makes from the name of a service or a provider. */
const NAMES = [
  ...new Set([
    ...SERVICES.map(urlVariableOf),
    ...PROVIDER_NAMES.map((name) => `${name}_DEBITS_PER_SECOND`),
    ...globSync(SCHEMAS, { cwd: ROOT })
      .filter((file) => !file.startsWith('apps/standalone/'))
      .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^\s+([A-Z][A-Z0-9_]+): /gm)])
      .map(([, name = '']) => name),
  ]),
].sort();

const GOOD: Environment = {
  ...SANDBOX_SECRETS,
  SANDBOX: 'true',
  DATABASE_URL: 'postgres://127.0.0.1:1/postgres',
  GATEWAYPOA_BASE_URL: 'http://127.0.0.1:1',
};
const BAD = ['-1', '0', '1.5', '999999999999', '1e3', 'x', ' ', 'x'.repeat(5_000)];

/** The errors that the start of each service would print. */
const said = (name: string, value: string): string[] =>
  definitions(true).flatMap((definition) => {
    try {
      checkEnvironment(definition, { ...GOOD, [name]: value });
      return [];
    } catch (error) {
      return [error instanceof BadEnvironment ? error.message : String(error)];
    }
  });

describe('a bad value of a variable', () => {
  it('is tried for all of them', () => {
    expect(NAMES).toEqual(
      expect.arrayContaining([
        ...['PORT', 'CAPTURE_BURST', 'DEBIT_NOTICE_HOURS', 'WEBHOOK_TIMEOUT_MS'],
        ...['PLANS_URL', 'SDKVENDOR_DEBITS_PER_SECOND', 'SDKVENDOR_KEY_SECRET', 'GATEWAYPOA_BASE_URL'],
      ]),
    );
  });

  it.each(NAMES)('of %s is reported in one line of our own words that names it', (name) => {
    const lines = BAD.flatMap((value) => said(name, value));
    const clear = new RegExp(`^${name} (must|should) [^\\n]+$`);
    expect(lines.filter((line) => !clear.test(line))).toEqual([]);
  });

  it.each([
    ['CAPTURE_BURST', '-1', 'CAPTURE_BURST must be a number from 1 to 100000'],
    ['DEBIT_NOTICE_HOURS', '3', 'DEBIT_NOTICE_HOURS must be a number of hours from 24 to 720'],
    ['EMANDATE_RETRY_DAYS', '1.5', 'EMANDATE_RETRY_DAYS must be a whole number of days from 0 to 10'],
  ])('is reported with the values that are allowed: %s=%s', (name, value, line) => {
    expect([...new Set(said(name, value))]).toEqual([line]);
  });
});
