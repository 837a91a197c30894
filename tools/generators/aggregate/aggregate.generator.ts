import { formatFiles, generateFiles, names, updateJson, type Tree } from '@nx/devkit';
import {
  insertAfter,
  insertBefore,
  replaceInBlock,
  replaceOnce,
  sorted,
  textOf,
  type Manifest,
} from '../tree-edits.ts';

interface Options {
  readonly service: string;
  readonly name: string;
}

const CONTRACTS = 'libs/contracts/src';
const MACHINES = 'libs/state-machines/src';
const MACHINES_SPEC = `${MACHINES}/machines.spec.ts`;
const VERIFICATION = 'verification/src/testing';

/** Its names wherever they stand: `cash_book` on the wire, `cash_books` in tables and paths, `CASHBOOK-1` in the specification. */
interface Words {
  readonly service: string;
  readonly serviceClass: string;
  readonly file: string;
  readonly className: string;
  readonly property: string;
  readonly constant: string;
  readonly wire: string;
  readonly plural: string;
  readonly rule: string;
  readonly prefix: string;
  readonly shown: string;
  readonly stage: string;
  readonly stageClass: string;
  readonly migration: string;
  /** Whether it is the service's first: then its list of sequences for reconciliation is new too. */
  readonly first: boolean;
}

/**
 * `nx g @fundrail/generators:aggregate ledger cash-book`: an aggregate with the states `open` and `closed`, from its rules to its
 * routes, and its line in each list of aggregates (decision 0048).
 */
export default async function aggregateGenerator(
  tree: Tree,
  { service, name }: Options,
): Promise<() => void> {
  if (!tree.exists(`apps/${service}/src/index.ts`)) throw new Error(`there is no service ${service}`);
  const words = wordsOf(tree, service, name);
  if (tree.exists(`apps/${service}/src/${words.file}`)) throw new Error(`${name} is there already`);
  generateFiles(tree, `${import.meta.dirname}/files`, '.', words);
  if (words.first) generateFiles(tree, `${import.meta.dirname}/reconciliation`, '.', words);
  if (!tree.exists(`apps/${service}/src/testing/${words.stage}.ts`))
    generateFiles(tree, `${import.meta.dirname}/../service/stage`, '.', {
      ...{ name: service, file: words.stage, stageClass: words.stageClass },
    });
  editContracts(tree, words);
  editMachines(tree, words);
  editService(tree, words);
  editDocuments(tree, words);
  await formatFiles(tree);
  return () => {
    console.log(nextOf(words));
  };
}

function wordsOf(tree: Tree, service: string, name: string): Words {
  const { className, propertyName, fileName, constantName } = names(name);
  const wire = fileName.replaceAll('-', '_');
  const own = `${service}-under-test`;
  const ownStage = `apps/${service}/src/testing/${own}.ts`;
  // A service without a stage of the common form gets one beside its own.
  const isOwn = tree.exists(ownStage) && textOf(tree, ownStage).includes('extends ServiceStage');
  return {
    ...{ service, serviceClass: names(service).className, file: fileName, className, property: propertyName },
    ...{ constant: constantName, wire, plural: `${wire}s`, rule: constantName.replaceAll('_', '') },
    ...{ shown: fileName.replaceAll('-', ' '), prefix: freePrefix(tree, wire) },
    stage: isOwn ? own : `${fileName}-under-test`,
    stageClass: isOwn ? `${names(service).className}UnderTest` : `${className}UnderTest`,
    migration: `${className}s${nextMigration(tree, service)}`,
    first: !tree.exists(`apps/${service}/src/reconciliation`),
  };
}

/** The shortest beginning of the name that no other id has as its prefix. */
function freePrefix(tree: Tree, wire: string): string {
  const letters = wire.replaceAll('_', '');
  const taken = textOf(tree, `${CONTRACTS}/ids.ts`);
  for (let length = 3; length <= letters.length; length += 1)
    if (!taken.includes(`'${letters.slice(0, length)}'`)) return letters.slice(0, length);
  throw new Error(`every beginning of ${wire} is a prefix of ids already`);
}

/** After the service's last migration, in the order in which TypeORM runs them. */
function nextMigration(tree: Tree, service: string): number {
  const used = [...textOf(tree, `apps/${service}/src/index.ts`).matchAll(/\w(\d{13})\b/g)];
  return Math.max(1_900_000_000_100, ...used.map(([, time]) => Number(time))) + 1;
}

function editContracts(tree: Tree, { service, file, property, wire, plural, prefix, shown }: Words): void {
  insertBefore(
    tree,
    `${CONTRACTS}/ids.ts`,
    '} as const;\nexport type IdKind',
    `  ${property}: '${prefix}',\n`,
  );
  insertBefore(
    tree,
    `${CONTRACTS}/index.ts`,
    "export * from './events/envelope.ts';",
    `export * from './${file}.dto.ts';\n`,
  );
  const catalogue = `${CONTRACTS}/events/catalogue.ts`;
  insertBefore(
    tree,
    catalogue,
    '\n/** One event type:',
    `import { ${property} } from '../${file}.dto.ts';\n`,
  );
  const events = ['created', 'closed'].map(
    (word) => `  '${wire}.${word}': declare(${property}, 'a ${shown} was ${word}'),\n`,
  );
  insertBefore(tree, catalogue, '} as const;\n\nexport type EventType', events.join(''));

  const topology = `${CONTRACTS}/topology.ts`;
  const added = (list: string, item: string): void => {
    const block = new RegExp(`\\n {2}${service}: \\{[^]*?\\n {4}${list}: (\\[[^\\]]*)\\]`);
    const before = block.exec(textOf(tree, topology))?.[1];
    if (before === undefined) throw new Error(`${topology} has no ${list} of ${service}`);
    const items = before.trimEnd().replace(/,$/, '');
    const change = [
      `${list}: ${before}]`,
      `${list}: ${items}${items === '[' ? '' : ', '}'${item}']`,
    ] as const;
    replaceInBlock(tree, topology, `  ${service}: {`, change);
  };
  added('routes', `/v2/${plural}`);
  added('topics', wire);
  const webhooks = /\n {2}webhooks: \{[^]*?\n {2}\}/.exec(textOf(tree, topology))?.[0] ?? '';
  if (!webhooks.includes(`${service}: MISSED`) && service !== 'webhooks')
    insertBefore(
      tree,
      topology,
      "    },\n    topics: ['notification_webhook'],",
      `      ${service}: MISSED,\n`,
    );
}

function editMachines(tree: Tree, { file, property, constant, wire }: Words): void {
  insertBefore(
    tree,
    `${MACHINES}/index.ts`,
    "export * from './machines.ts';",
    `export * from './${file}.machine.ts';\n`,
  );
  const list = `${MACHINES}/machines.ts`;
  insertBefore(
    tree,
    list,
    "import type { Machine } from './state-machine.ts';",
    `import { ${property}Machine } from './${file}.machine.ts';\n`,
  );
  insertBefore(tree, list, '];', `  ${property}Machine,\n`);

  insertBefore(tree, MACHINES_SPEC, "} from '@fundrail/contracts';", `  ${constant}_STATES,\n`);
  insertBefore(
    tree,
    MACHINES_SPEC,
    "};\n\nconst words = (text: string) => text.split(' ');",
    `  ${wire}: {
    initial: 'open',
    states: 'open closed',
    steps: { close: ['open', 'closed', '${wire}.closed'] },
  },
`,
  );
  insertBefore(tree, MACHINES_SPEC, "  ])('of %s emits %s alone'", `    ['${wire}', '${wire}.created'],\n`);
  insertBefore(
    tree,
    MACHINES_SPEC,
    '  });\n\n  it.each(Object.keys(CONTRACT))',
    `    expect(machineOf('${wire}').states).toEqual(${constant}_STATES);\n`,
  );
}

function editService(tree: Tree, words: Words): void {
  const { service, serviceClass, file, className, constant, migration, plural, first } = words;
  const definition = `apps/${service}/src/index.ts`;
  insertBefore(
    tree,
    definition,
    `import { ${serviceClass}Module }`,
    `import { ${constant}S } from './${file}/${file}.table.ts';\nimport { ${migration} } from './migrations/${file}s.migration.ts';\n`,
  );
  appended(tree, definition, 'migrations', migration);
  appended(tree, definition, 'tables', `${constant}S`);

  depend(tree, service);

  const module = `apps/${service}/src/${service}.module.ts`;
  const useCases = ['Create', 'Close'].map((verb) => ({
    name: `${verb}${className}`,
    path: `./${file}/${verb.toLowerCase()}-${file}.ts`,
  }));
  const controllers = [
    { name: `${className}Controller`, path: `./${file}/${file}.controller.ts` },
    ...(first
      ? [{ name: 'ReconciliationController', path: './reconciliation/reconciliation.controller.ts' }]
      : []),
  ];
  const imports = [...useCases, ...controllers].map(
    ({ name, path }) => `import { ${name} } from '${path}';\n`,
  );
  tree.write(module, imports.join('') + textOf(tree, module));
  insertAfter(tree, module, 'controllers: [', `${controllers.map(({ name }) => name).join(', ')}, `);
  insertAfter(tree, module, 'providers: [', `${useCases.map(({ name }) => name).join(', ')}, `);

  const standing = `apps/${service}/src/reconciliation/standing.repository.ts`;
  if (!first && tree.exists(standing) && textOf(tree, standing).includes('const TABLES = ['))
    insertAfter(tree, standing, 'const TABLES = [', `'${plural}', `);
}

/** What its files import. npm sorts a manifest's dependencies. */
function depend(tree: Tree, service: string): void {
  updateJson(tree, `apps/${service}/package.json`, (manifest: Manifest) => {
    const ours = ['contracts', 'persistence', 'service-kit', 'state-machines'];
    const all = {
      ...Object.fromEntries(ours.map((name) => [`@fundrail/${name}`, '*'])),
      ...manifest.dependencies,
    };
    return { ...manifest, dependencies: sorted(all) };
  });
}

/** Adds an item to the list of a service's definition. */
function appended(tree: Tree, path: string, list: string, item: string): void {
  const [whole = '', items = ''] =
    new RegExp(`\\n {2}${list}: \\[([^\\]]*)\\]`).exec(textOf(tree, path)) ?? [];
  const before = items.trim().replace(/,$/, '');
  replaceOnce(tree, path, whole, `\n  ${list}: [${before}${before === '' ? '' : ', '}${item}]`);
}

function editDocuments(tree: Tree, words: Words): void {
  const { service, file, className, wire, plural, rule, shown } = words;
  const bounds = 'tools/docs/bounds.ts';
  const rows = `${plural}: record('one row a ${shown}'), ${wire}_history: record('a row a step of a ${shown}'),`;
  const text = textOf(tree, bounds);
  const own = text.lastIndexOf(`\n  ${service}: {`);
  if (own < 0) throw new Error(`${bounds} has no tables of ${service}`);
  const at = own + `\n  ${service}: {`.length;
  tree.write(bounds, `${text.slice(0, at)} ${rows} ${text.slice(at)}`);

  const pages = 'docs/specification/README.md';
  if (textOf(tree, pages).includes(`\`${rule}\``))
    throw new Error(`the specification has the prefix ${rule}`);
  const row = `| [${className}](${file}s.md) | \`${rule}\` | its states and routes |\n`;
  tree.write(pages, `${textOf(tree, pages).trimEnd()}\n${row}`);

  const example = `{ name: 'Example' }`;
  const bodies = `${VERIFICATION}/valid-bodies.ts`;
  insertAfter(
    tree,
    bodies,
    '...adminRequests(stage),\n',
    `    'POST /v2/${plural}': { path: '/v2/${plural}', body: ${example} },\n`,
  );
  const tenants = 'verification/src/tenants.e2e.spec.ts';
  insertAfter(tree, tenants, 'const LISTS = [\n', `  'GET /v2/${plural}',\n`);
  // Its creation names none of a tenant's objects.
  insertAfter(tree, tenants, 'const WITHOUT_AN_OBJECT = [\n', `  'POST /v2/${plural}',\n`);
  const objects = `${VERIFICATION}/objects-of-a-tenant.ts`;
  insertAfter(
    tree,
    objects,
    '...(await ofWebhooks(owner, hook)),\n',
    `    ...(await of${className}s(owner)),\n`,
  );
  tree.write(
    objects,
    `${textOf(tree, objects)}
async function of${className}s(owner: ApiClient): Promise<Requests> {
  const id = String(ok(await owner.post('/v2/${plural}', ${example})).body['id']);
  return requestsOf(id, { 'GET /v2/${plural}/{id}': null, 'POST /v2/${plural}/{id}/close': null });
}
`,
  );
}

function nextOf({ service, file, className, first }: Words): string {
  const sequences = `\nAdd ${className} to the sequences that apps/${service}/src/reconciliation answers, if its repository has no list TABLES.`;
  return `
Next: its rules (docs/specification/${file}s.md), npm run jest -- golden -u, then npm run docs, npm run docs:openapi and npm run check.
By hand, as it decides who may call whom: ${service} into the calls of webhooks in libs/service-kit/src/http/client/allowed-calls.spec.ts,
because webhooks compares what it has published with the rows of ${service}.${first ? '' : sequences}`;
}
