import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  columnsOf,
  importCircles,
  linesOf,
  longParameterLists,
  type Measure,
  reachableFrom,
  unnamedExports,
} from './measures.ts';
import { withoutBlocks } from '../topology/blocks.ts';
import { readModules, type SourceFile } from './source-files.ts';

/** Where a reader starts who follows a purchase paid by UPI, and a debit under a mandate, from the route to the webhook. */
const WALKS = {
  'files of a UPI payment': [
    'apps/payments/src/collection/create-payment.controller.ts',
    'apps/payments/src/collection/callback.controller.ts',
  ],
  'files of a debit': [
    'apps/payments/src/debit/debit.controller.ts',
    'apps/payments/src/debit/internal-debit.controller.ts',
    'apps/payments/src/debit/debit.consumer.ts',
    'apps/mandates/src/debit/debit.controller.ts',
    'apps/mandates/src/debit/sending/send-debits.lane.ts',
    'apps/mandates/src/debit/payment.consumer.ts',
  ],
};

/** Texts that name a provider, a service, or a field of a payment: what a new one of each has to touch. Specs and stages are left out. */
const TEXTS = [
  '{apps,libs}/*/{package.json,src/**/*.ts}',
  '{tools,bench}/**/*.{ts,mjs}',
  '{docker,k8s}/**/*',
  'docs/**/*.md',
];
const FOR_TESTS = /\.spec\.ts$|\/testing\/|^libs\/testing\/|\/golden\/|__snapshots__|^bench\/baseline\//;
/** Written from other files by `npm run docs`. */
const GENERATED =
  /^docs\/(states|events|errors|reconciliation|retention)\.md$|^docker\/edge\/|^k8s\/components\/monitoring\/alerts/;

interface Mention {
  readonly name: string;
  readonly word: RegExp;
  /** The files that are counted. */
  readonly within: RegExp;
}

const MENTIONS: readonly Mention[] = [
  {
    name: 'files that name a field of a payment (source_ref_id)',
    word: /\bsource_ref_id\b/,
    within: /^(apps\/payments\/|libs\/contracts\/src\/payment)/,
  },
  {
    name: 'files that name a provider (sdkvendor)',
    word: /sdkvendor/i,
    within: /^(?!libs\/providers\/src\/sdkvendor\/|apps\/simulator\/)/,
  },
  {
    name: 'files that name a service (plans)',
    // The word alone is a noun too; the simulator quotes it as a topic of callbacks, and the page of figures has their number.
    word: /\b(fundrail|apps|internal)\/plans\b|\bPLANS_[A-Z]|['"`]plans['"`]|^ *plans: [{'A-Z]|^\| plans:|[[,] ?plans[,\]]/m,
    within: /^(?!apps\/(plans|simulator)\/|docs\/performance\.md)/,
  },
];

function mentions(root: string): readonly Measure[] {
  const texts = TEXTS.flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/node_modules|\/dist\//.test(path))
    .map((path) => ({
      path: path.slice(join(root, '/').length),
      text: withoutBlocks(readFileSync(path, 'utf8')),
    }))
    .filter(({ path }) => !FOR_TESTS.test(path) && !GENERATED.test(path));
  return MENTIONS.map(({ name, word, within }) => {
    const places = texts
      .filter(({ path, text }) => within.test(path) && word.test(text))
      .map(({ path }) => path);
    return { name, count: places.length, places: places.sort() };
  });
}

/** Every row of the table. The specification's citations and the words of texts have checks of their own, which allow none. */
export function shapeOf(root: string, files: readonly SourceFile[]): readonly Measure[] {
  const modules = readModules(root, files);
  const columns = columnsOf('payments', files);
  return [
    ...Object.entries(WALKS).map(([name, entries]) => {
      const places = reachableFrom(entries, files, modules);
      return { name, count: places.length, places };
    }),
    { name: 'columns of payments', count: columns.length, places: columns },
    ...mentions(root),
    ...linesOf(files),
    ...longParameterLists(files),
    importCircles(files, modules),
    unnamedExports(files),
  ];
}
