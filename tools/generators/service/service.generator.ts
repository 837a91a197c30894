import { formatFiles, generateFiles, names, readJson, updateJson, type Tree } from '@nx/devkit';
import { insertAfter, insertBefore, sorted, type Manifest } from '../tree-edits.ts';

interface Options {
  readonly name: string;
}

const TOPOLOGY = 'libs/contracts/src/topology.ts';

/** `nx g @fundrail/generators:service ledger`: the smallest service of the house, and its line in each list of services (decision 0048). */
export default async function serviceGenerator(tree: Tree, { name }: Options): Promise<() => void> {
  if (tree.exists(`apps/${name}`)) throw new Error(`apps/${name} is there already`);
  const { className } = names(name);
  const { dependencies } = readJson<Manifest>(tree, 'apps/standalone/package.json');
  const { dependencies: ofService } = readJson<Manifest>(tree, 'apps/identity/package.json');
  generateFiles(tree, `${import.meta.dirname}/files`, '.', { name, className, versions: ofService });
  const stage = { name, file: `${name}-under-test`, stageClass: `${className}UnderTest` };
  generateFiles(tree, `${import.meta.dirname}/stage`, '.', stage);

  const entry = `  ${name}: {\n    routes: ['/v2/${name}'],\n    calls: {},\n    topics: [],\n    providers: [],\n  },\n`;
  insertBefore(tree, TOPOLOGY, '  simulator: {\n    routes', entry);
  insertAfter(tree, TOPOLOGY, 'webhooks: CLOCK,\n', `      ${name}: CLOCK,\n`);
  insertBefore(
    tree,
    'libs/contracts/src/index.ts',
    "export * from './events/envelope.ts';",
    `export * from './${name}.dto.ts';\n`,
  );
  insertBefore(tree, 'tools/docs/bounds.ts', '  simulator: {},', `  ${name}: {},\n`);
  insertAfter(
    tree,
    'verification/src/tenants.e2e.spec.ts',
    'const WITHOUT_AN_OBJECT = [\n',
    `  'GET /v2/${name}',\n`,
  );
  updateJson(tree, 'apps/standalone/package.json', (manifest: Manifest) => ({
    ...manifest,
    dependencies: sorted({ ...dependencies, [`@fundrail/${name}`]: '*' }),
  }));
  await formatFiles(tree);
  return () => {
    console.log(NEXT);
  };
}

const NEXT = `
Next: npm install, npm run docs, npm run docs:openapi, npm run check.
A call of another service, a further Secret, or a way to the outside goes into TOPOLOGY, and by hand into the lists that
guard it: allowed-calls.spec.ts and tools/topology/topology.spec.ts (decision 0048).`;
