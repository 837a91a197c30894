import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyOfTheTree, linkPackage } from '../nx/tree-copy.ts';

const LIMIT_MS = 900_000;
const WEBHOOKS_MAY_CALL = "  webhooks: ['identity', ";
const SECRETS_OF = (service: string) => `  ${service}: [...GATEWAYPOA, ...SDKVENDOR`;

/** What they are asked for, one after the other in one copy of this tree. */
const GENERATED = [
  ['service', 'demo'],
  ['aggregate', 'demo', 'widget'],
  // A second one of the service, with a name of two words.
  ['aggregate', 'demo', 'cash-book'],
  ['event', 'widget.renamed'],
  // Of an aggregate that was there before, in a service of its own dialect.
  ['event', 'mandate.extended'],
  ['aggregate', 'mandates', 'note'],
  ['provider', 'acmepay'],
] as const;

describe('the generators', () => {
  let copy: string;
  beforeAll(() => {
    copy = copyOfTheTree();
    passes('git', 'init', '--quiet');
    passes('git', 'add', '.');
    for (const [generator, ...args] of GENERATED)
      passes('nx', 'generate', `@fundrail/generators:${generator}`, ...args);
    // As `npm install` would.
    linkPackage(copy, 'apps/demo');
    // What the generators ask a person to decide: who may call whom, and who has a Secret.
    edit('libs/service-kit/src/http/client/allowed-calls.spec.ts', WEBHOOKS_MAY_CALL, "'demo', ");
    for (const service of ['payments', 'mandates'])
      edit('tools/topology/topology.spec.ts', SECRETS_OF(service), ", 'ACMEPAY_WEBHOOK_SECRET'");
    passes('npm', 'run', 'docs');
  }, LIMIT_MS);
  afterAll(() => {
    rmSync(copy, { recursive: true, force: true });
  });

  function run(command: string, args: readonly string[]) {
    const path = `${join(copy, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;
    const env = {
      ...process.env,
      PATH: path,
      NX_DAEMON: 'false',
      NX_TUI: 'false',
      // A process for each plugin would be most of the work of a call.
      NX_ISOLATE_PLUGINS: 'false',
      NO_COLOR: '1',
      CI: 'true',
    };
    return spawnSync(command, args, { cwd: copy, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  }

  /** Fails with all that the command has printed. */
  function passes(command: string, ...args: readonly string[]): string {
    const { status, stdout, stderr } = run(command, args);
    if (status !== 0) throw new Error(`${[command, ...args].join(' ')}\n${stdout}${stderr}`);
    return stdout;
  }

  const textOf = (path: string) => readFileSync(join(copy, path), 'utf8');
  const edit = (path: string, after: string, text: string) => {
    expect(textOf(path)).toContain(after);
    writeFileSync(join(copy, path), textOf(path).replace(after, after + text));
  };
  /** What they have written and changed. */
  const written = () => passes('git', 'ls-files', '-mo', '--exclude-standard').trim().split('\n');

  it('put the service into the deployment, the edge, the metrics and the documents', () => {
    const named = {
      'apps/standalone/src/registry.ts': 'demo: demoService',
      'docker/compose.yaml': 'image: fundrail/demo:',
      'docker/Dockerfile': '-w apps/demo ',
      'docker/edge/routes.conf': '/v2/demo',
      'docker/observability/prometheus.yml': /names: \[.*\bdemo\b.*\]/,
      'k8s/base/demo.yaml': 'image: fundrail/demo:',
      'k8s/base/kustomization.yaml': '- demo.yaml',
      'k8s/base/network-policies.yaml': 'app.kubernetes.io/name: demo,',
      'k8s/components/gateway/route.yaml': '/v2/demo',
      'k8s/overlays/production/ingress.yaml': '/v2/demo',
      'docs/architecture.md': 'demo',
      'docs/retention.md': 'widget_history',
      'docs/states.md': '## cash_book',
      'docs/events.md': '`widget.renamed`',
      'docs/specification/README.md': '`WIDGET`',
    };
    for (const [path, text] of Object.entries(named)) expect(textOf(path)).toMatch(text);
    const { channels } = JSON.parse(textOf('docs/asyncapi.json')) as { channels: Record<string, object> };
    expect(Object.keys(channels)).toEqual(expect.arrayContaining(['widget', 'cash_book', 'note']));
  });

  it('give the provider its Secret, its callbacks and its address', () => {
    expect(textOf('k8s/base/payments.yaml')).toContain('key: ACMEPAY_WEBHOOK_SECRET');
    expect(textOf('k8s/overlays/production/ingress.yaml')).toContain('/callbacks/acmepay');
    expect(textOf('docs/operations/providers.md')).toContain('ACMEPAY_BASE_URL');
    expect(textOf('libs/providers/src/acmepay/acmepay.provider.ts')).toContain('ACMEPAY_BASE_URL: ');
  });

  it(
    'write code that builds, keeps to the types and lint, and has the format and the words of the house',
    () => {
      passes('nx', 'build', '@fundrail/demo');
      passes('npm', 'run', 'typecheck');
      const files = written();
      passes('eslint', ...files.filter((file) => file.endsWith('.ts')));
      passes('prettier', '--check', '--ignore-unknown', ...files);
      passes('cspell', 'lint', '--no-progress', '--no-summary', ...files);
      passes('npm', 'run', 'docs:check');
    },
    LIMIT_MS,
  );

  it(
    'write specs that pass, with those that every service, machine, event and provider has to pass',
    () => {
      // Accepts the shape of new events, as after every intended change of one.
      passes('npm', 'run', 'jest', '--', '--selectProjects', 'unit', '--testPathPatterns', 'golden', '-u');
      const specs = [
        'apps/demo/',
        'apps/mandates/src/note/',
        'libs/providers/src/acmepay/',
        'libs/state-machines/src/machines',
        'libs/contracts/src/(events|ids|routing)',
        'libs/service-kit/src/http/client/allowed-calls',
        'tools/(topology|docs|edge)/',
        'tools/shape/dialect',
        'apps/standalone/src/migrations',
        'verification/src/declared-tables',
      ];
      passes(
        ...(['npm', 'run', 'jest', '--', '--maxWorkers=1', '--selectProjects', 'unit', 'int'] as const),
        ...['--testPathPatterns', `/(${specs.join('|')})`],
      );
    },
    LIMIT_MS,
  );

  it('refuse what is there already, and change nothing', () => {
    const before = written();
    for (const args of [
      ['service', 'orders'],
      ['aggregate', 'demo', 'widget'],
      ['event', 'payment.success'],
      ['event', 'nothing.happened'],
      ['provider', 'gatewaypoa'],
    ])
      expect(run('nx', ['generate', `@fundrail/generators:${args[0] ?? ''}`, ...args.slice(1)]).status).toBe(
        1,
      );
    expect(written()).toEqual(before);
  });
});
