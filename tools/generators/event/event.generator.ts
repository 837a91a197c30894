import { formatFiles, names, type Tree } from '@nx/devkit';
import { insertAfter, textOf } from '../tree-edits.ts';

interface Options {
  readonly type: string;
}

const CATALOGUE = 'libs/contracts/src/events/catalogue.ts';
const GOLDEN = 'libs/contracts/src/events/golden';
const ENTRY = /^ {2}'([a-z_]+)\.([a-z_]+)': declare\((?:.*\),$|\s*(?:.|\n)*?\n {2}\),$)/gm;

/** `nx g @fundrail/generators:event mandate.extended`: one more event of an aggregate, with the object that its first event carries (decision 0048). */
export default async function eventGenerator(tree: Tree, { type }: Options): Promise<() => void> {
  addEvent(tree, type);
  await formatFiles(tree);
  return () => {
    console.log(NEXT);
  };
}

function addEvent(tree: Tree, type: string): void {
  const [aggregate = '', word = ''] = type.split('.');
  const entries = [...textOf(tree, CATALOGUE).matchAll(ENTRY)].filter(([, owner]) => owner === aggregate);
  const [first, last] = [entries[0], entries.at(-1)];
  if (!first || !last) throw new Error(`${aggregate} has no event yet: begin with the generator "aggregate"`);
  if (entries.some(([, , known]) => known === word)) throw new Error(`${type} is in the catalogue already`);
  const object = /declare\(\s*(\w+)/.exec(first[0])?.[1] ?? '';
  const when = `the ${aggregate.replaceAll('_', ' ')} was ${word.replaceAll('_', ' ')}`;
  insertAfter(tree, CATALOGUE, last[0], `\n  '${type}': declare(${object}, '${when}'),`);
  tree.write(`${GOLDEN}/${type}.json`, textOf(tree, `${GOLDEN}/${aggregate}.${first[2] ?? ''}.json`));
  if (tree.exists(`libs/state-machines/src/${names(aggregate).fileName}.machine.ts`))
    insertAfter(
      tree,
      'libs/state-machines/src/machines.spec.ts',
      'const EMITTED_WITHOUT_STEP = [',
      `\n  '${type}',`,
    );
}

const NEXT = `
Next: the sentence of the catalogue, the golden file as the event will look, then npm run docs and npm run check.
When a step of the machine emits it: name it in the machine and in the table of machines.spec.ts, and take it out of EMITTED_WITHOUT_STEP.
When a service listens: its @OnEvent method, and its line in tools/docs/event-flow.ts.`;
