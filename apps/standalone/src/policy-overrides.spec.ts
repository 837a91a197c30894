import { nearestParameters } from '@fundrail/policies';
import { BadEnvironment, checkEnvironment, SANDBOX_SECRETS, type Environment } from '@fundrail/service-kit';
import { signedAsOverrides, signedOverrides } from '@fundrail/testing';
import { generateKeyPairSync } from 'node:crypto';
import { definitions } from './services.ts';

const ENTRY = {
  policy: 'autopay_windows',
  version: '2025-08-01',
  parameters: { peak: '10:00-13:00' },
  reason: 'our acquirer has confirmed it in writing',
  by: 'A Person',
  at: '2026-11-01T10:00:00.000+05:30',
};
const ISSUED = { issued_at: '2026-01-01T10:00:00.000+05:30' };
const GOOD = signedOverrides(ENTRY);
const { POLICY_OVERRIDES: signed, POLICY_OVERRIDES_KEY: key } = GOOD;
const [header = '', body = '', signature = ''] = signed.split('.');

/** What the start of each service prints; an empty text where it starts. */
const said = (variables: Environment): string[] =>
  definitions(true).map((definition) => {
    try {
      checkEnvironment(definition, {
        ...SANDBOX_SECRETS,
        SANDBOX: 'true',
        DATABASE_URL: 'postgres://127.0.0.1:1/postgres',
        GATEWAYPOA_BASE_URL: 'http://127.0.0.1:1',
        ...variables,
      });
      return '';
    } catch (error) {
      return error instanceof BadEnvironment ? error.message : String(error);
    }
  });
const withEntry = (changes: object) => ({
  POLICY_OVERRIDES: signedAsOverrides({ ...ISSUED, overrides: [{ ...ENTRY, ...changes }] }),
  POLICY_OVERRIDES_KEY: key,
});
const otherKey = (type: 'ed25519' | 'x25519') => {
  const { publicKey } = type === 'ed25519' ? generateKeyPairSync(type) : generateKeyPairSync('x25519');
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
};

describe('POLICY_OVERRIDES (POL-11)', () => {
  afterAll(() => said({}));

  it('is the same for every service, and checks its variables', () => {
    const inPeak = { DEBIT_WINDOWS: '18:00-20:00' };
    expect(new Set(said({ ...GOOD, ...inPeak }))).toEqual(new Set(['']));
    expect(nearestParameters('autopay_windows', new Date()).peak).toBe('10:00-13:00');
    expect(said(inPeak)).toContainEqual(expect.stringContaining("NPCI's peak hours 10:00-13:00,17:00-21:30"));
  });

  it('is checked with variables until it expires, and not after', () => {
    const faster = {
      ...{ ...ENTRY, policy: 'upi_status_enquiry', version: '2025-04-26' },
      parameters: { first_seconds_least: 30 },
    };
    const lines = (expires_on: string, variables: Environment) => {
      const overrides = [ENTRY, faster].map((entry) => ({ ...entry, expires_on }));
      const document = signedAsOverrides({ ...ISSUED, overrides });
      return said({ ...GOOD, ...variables, POLICY_OVERRIDES: document }).filter((line) => line !== '');
    };
    const [inPeak, early] = [{ DEBIT_WINDOWS: '18:00-20:00' }, { UPI_STATUS_FIRST_SECONDS: '30' }];
    expect(lines('2099-12-31', { ...inPeak, ...early })).toEqual([]);
    expect(lines('2025-12-31', inPeak)).toEqual([
      expect.stringContaining("NPCI's peak hours 10:00-13:00,17"),
    ]);
    const ofSeconds: unknown = expect.stringContaining('UPI_STATUS_FIRST_SECONDS');
    expect(lines('2025-12-31', early)).toEqual([ofSeconds, ofSeconds]);
  });

  it.each<[string, Environment, string]>([
    ['no JWS', { ...GOOD, POLICY_OVERRIDES: '{}' }, 'POLICY_OVERRIDES must be a JWS in compact form'],
    [
      'another algorithm',
      { ...GOOD, POLICY_OVERRIDES: signedAsOverrides({ ...ISSUED, overrides: [ENTRY] }, { alg: 'none' }) },
      'POLICY_OVERRIDES must be signed with the algorithm EdDSA',
    ],
    [
      'an extension',
      {
        ...GOOD,
        POLICY_OVERRIDES: signedAsOverrides(
          { ...ISSUED, overrides: [ENTRY] },
          { alg: 'EdDSA', crit: ['exp'], exp: 1 },
        ),
      },
      'POLICY_OVERRIDES must have no `crit` in its header',
    ],
    [
      'no key',
      { POLICY_OVERRIDES: signed },
      'POLICY_OVERRIDES_KEY is required: POLICY_OVERRIDES is verified by it',
    ],
    [
      'a key of another kind',
      { ...GOOD, POLICY_OVERRIDES_KEY: otherKey('x25519') },
      'POLICY_OVERRIDES_KEY must be an Ed25519 public key, as DER in base64',
    ],
    [
      'the key of someone else',
      { ...GOOD, POLICY_OVERRIDES_KEY: otherKey('ed25519') },
      'POLICY_OVERRIDES is not signed by the key POLICY_OVERRIDES_KEY',
    ],
    [
      'a changed document',
      { ...GOOD, POLICY_OVERRIDES: `${header}.${body.slice(0, -2)}AA.${signature}` },
      'POLICY_OVERRIDES is not signed by the key POLICY_OVERRIDES_KEY',
    ],
    ['a missing reason', withEntry({ reason: undefined }), 'POLICY_OVERRIDES: overrides.0.reason'],
    ['a short reason', withEntry({ reason: 'because' }), 'POLICY_OVERRIDES: overrides.0.reason'],
    ['a missing name', withEntry({ by: ' ' }), 'POLICY_OVERRIDES: overrides.0.by'],
    ['no change', withEntry({ parameters: {} }), 'POLICY_OVERRIDES: overrides.0 changes nothing'],
    ['an unknown field', withEntry({ max: 1 }), 'POLICY_OVERRIDES: overrides.0'],
    [
      'no time of its issue',
      { ...GOOD, POLICY_OVERRIDES: signedAsOverrides({ overrides: [ENTRY] }) },
      'POLICY_OVERRIDES: issued_at',
    ],
    ...[2.5, null, ['10:00']].map((peak): [string, Environment, string] => [
      `the parameter ${JSON.stringify(peak)}`,
      withEntry({ parameters: { peak } }),
      'POLICY_OVERRIDES: overrides.0.parameters.peak must be a text, a whole number, or true or false',
    ]),
    ['an unknown policy', withEntry({ policy: 'npci' }), 'POLICY_OVERRIDES: npci is not a policy'],
    [
      'a parameter out of its schema',
      withEntry({ parameters: { attempts: 0 } }),
      'POLICY_OVERRIDES: autopay_windows.attempts must be from 1',
    ],
    [
      'peak hours over the windows of debits',
      withEntry({ parameters: { peak: '09:00-13:00,17:00-21:30' } }),
      'POLICY_OVERRIDES: autopay_windows from 2025-08-01: windows must leave out the hours of peak',
    ],
  ])('with %s starts no service', (_, variables, message) => {
    const lines = said(variables);
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => !line.startsWith(message) || line.includes('\n'))).toEqual([]);
  });
});
