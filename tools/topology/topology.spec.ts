import { callsOf, SERVICES, TOPOLOGY, type ServiceName } from '@fundrail/contracts';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GENERATED } from './blocks.ts';
import { TOPOLOGY_FILES } from './files.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const GATEWAYPOA = ['GATEWAYPOA_API_KEY', 'GATEWAYPOA_WEBHOOK_SECRET'];
const SDKVENDOR = ['SDKVENDOR_KEY_ID', 'SDKVENDOR_KEY_SECRET', 'SDKVENDOR_WEBHOOK_SECRET'];

/** The further Secrets of services' pods, beside their database's, the key of personal data and the one of all services for their tokens. Another one is a decision: an attacker in that service has it. */
const SECRETS: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  identity: ['ADMIN_CLIENT_SECRET'],
  orders: GATEWAYPOA,
  payments: [...GATEWAYPOA, ...SDKVENDOR],
  mandates: [...GATEWAYPOA, ...SDKVENDOR],
  plans: GATEWAYPOA,
  simulator: [...GATEWAYPOA, ...SDKVENDOR],
};
/** Those that connect to public addresses. */
const REACH_THE_OUTSIDE = ['orders', 'payments', 'mandates', 'plans', 'webhooks'];
/** Those that count by clients' addresses, which they take from X-Forwarded-For. */
const READ_ADDRESSES = ['identity', 'payments', 'webhooks'];
/** What operators reach. */
const BEHIND_ADMIN = { '/admin': 'identity', '/admin/payments': 'payments', '/admin/holidays': 'plans' };

describe('the topology', () => {
  const podsOf = (name: ServiceName) =>
    textOf(TOPOLOGY[name].sandboxOnly ? `k8s/${name}/${name}.yaml` : `k8s/base/${name}.yaml`);

  it.each(SERVICES)('gives %s these Secrets, each of its own, and no other', (name) => {
    const refs = [...podsOf(name).matchAll(/secretKeyRef: \{ name: (\w+), key: (\w+) \}/g)];
    expect(new Set(refs.map(([, secret]) => secret))).toEqual(new Set([name]));
    const keys = new Set(refs.map(([, , key]) => key));
    expect([...keys]).toEqual([
      `${name.toUpperCase()}_DATABASE_URL`,
      'DATA_ENCRYPTION_KEY',
      ...(SECRETS[name] ?? []),
    ]);
  });

  it('lets these services reach the outside in production', () => {
    const [, names = ''] =
      /services that reach the outside\n.*values: \[(.*)\]/.exec(
        textOf('k8s/overlays/production/network-policies.yaml'),
      ) ?? [];
    expect(names.split(', ')).toEqual(REACH_THE_OUTSIDE);
  });

  it('lets these services trust the addresses that the edge names', () => {
    expect(SERVICES.filter((name) => podsOf(name).includes('TRUSTED_PROXIES'))).toEqual(READ_ADDRESSES);
    const compose = textOf('docker/compose.yaml').split(/^ {2}(?=[\w-]+:$)/m);
    const inCompose = compose.filter((part) => part.includes('TRUSTED_PROXIES: 1'));
    expect(inCompose.map((part) => part.slice(0, part.indexOf(':')))).toEqual(READ_ADDRESSES);
  });

  it('has these services behind /admin', () => {
    const rows = SERVICES.flatMap((name) => TOPOLOGY[name].routes.map((route) => [route, name] as const));
    expect(Object.fromEntries(rows.filter(([route]) => /^\/admin(\/|$)/.test(route)))).toEqual(BEHIND_ADMIN);
  });

  it('names only services in calls, and in none of them itself', () => {
    expect(SERVICES.map((name) => [name, Object.keys(TOPOLOGY[name].calls)])).toEqual(
      SERVICES.map((name) => [name, callsOf(name).filter((other) => other !== name)]),
    );
  });

  it('writes every file that has a block of it or says that it is generated', () => {
    const files = globSync(['docker/**/*', 'k8s/**/*', 'docs/**/*.md'], { cwd: ROOT, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
    const marked = files.filter((path) => {
      const text = textOf(path);
      return (
        /^\s*(#|<!--) generated from TOPOLOGY: /m.test(text) ||
        (path.startsWith('k8s/') && text.startsWith(GENERATED))
      );
    });
    expect(marked.sort()).toEqual(Object.keys(TOPOLOGY_FILES).sort());
  });
});
