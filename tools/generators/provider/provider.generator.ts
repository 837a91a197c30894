import { formatFiles, names, type Tree } from '@nx/devkit';
import { insertBefore, textOf } from '../tree-edits.ts';

interface Options {
  readonly name: string;
}

const PROVIDERS = 'libs/providers/src';
/** The provider of docs/adding-a-provider.md, which the tests keep passing, is the template. */
const EXAMPLE = `${PROVIDERS}/testing/thirdpay`;
const TABLE = 'libs/contracts/src/providers.ts';
/** What simulates the provider. It is no part of the adapter. */
const SIMULATION = /-(books|callbacks|server|standings)\.ts$/;

/**
 * `nx g @fundrail/generators:provider acmepay`: the example's adapter under its own name with its conformance suite, and its line in the
 * table of providers. It takes payments, refunds, mandates and debits (decisions 0048, 0049).
 */
export default async function providerGenerator(tree: Tree, { name }: Options): Promise<() => void> {
  if (tree.exists(`${PROVIDERS}/${name}`)) throw new Error(`${PROVIDERS}/${name} is there already`);
  for (const file of tree.children(EXAMPLE)) if (file !== 'index.ts') copyOf(tree, file, name);
  insertBefore(tree, TABLE, '} as const satisfies', `  ${name}: { secrets: ['WEBHOOK_SECRET'] },\n`);
  await formatFiles(tree);
  return () => {
    console.log(nextOf(name));
  };
}

/** The simulation stands in the folder `testing` of the new one, and so at the depth of the example. */
function copyOf(tree: Tree, file: string, name: string): void {
  const { className } = names(name);
  const isSimulation = SIMULATION.test(file);
  const text = textOf(tree, `${EXAMPLE}/${file}`)
    .replaceAll("from './index.ts'", "from './thirdpay-server.ts'")
    .replaceAll(/from '\.\/(thirdpay-(?:books|callbacks|server|standings)\.ts)'/g, (_, stage: string) =>
      isSimulation ? `from './${stage}'` : `from './testing/${stage}'`,
    )
    .replaceAll(/from '\.\/(?!thirdpay-(?:books|callbacks|server|standings)|testing\/)/g, (own) =>
      isSimulation ? "from '../" : own,
    )
    .replaceAll(/from '\.\.\/(?!\.\.\/)([\w-]+\.ts)'/g, (own, stage: string) =>
      stage === 'callback.ts' || stage === 'wire.ts' || stage === 'transform.ts'
        ? own
        : `from '${isSimulation ? '../../' : '../'}testing/${stage}'`,
    )
    .replaceAll("from '../../", isSimulation ? "from '../../" : "from '../")
    .replaceAll('@third', `@${name}`)
    .replaceAll('THIRDPAY', name.toUpperCase())
    .replaceAll('thirdpay', name)
    .replaceAll('Thirdpay', className);
  tree.write(`${PROVIDERS}/${name}/${isSimulation ? 'testing/' : ''}${file.replace('thirdpay', name)}`, text);
}

function nextOf(name: string): string {
  return `
Next: npm run docs, then the provider's own messages and keys in ${PROVIDERS}/${name} (docs/adding-a-provider.md), npm run jest -- ${name},
npm run docs:openapi and npm run check.
By hand, as they decide who has a Secret and what needs no token: ${name.toUpperCase()}_WEBHOOK_SECRET into the lists of payments and mandates
in tools/topology/topology.spec.ts, and /callbacks/${name} into those of libs/contracts/src/routing-table.spec.ts and
verification/src/documents/openapi.e2e.spec.ts.`;
}
