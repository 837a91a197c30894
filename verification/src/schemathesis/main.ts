import { endWithHelp, refuseArguments, sentenceOf } from '@fundrail/standalone';
// `npm run schemathesis`: tries every operation of /openapi.json with generated requests, on a new product. Exits with 0 only when
// nothing was found and enough was tried.
import { parseArgs } from 'node:util';
import { hasPython } from '../testing/schemathesis.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from '../testing/standalone-process.ts';
import type { Documented } from './examples.ts';
import { AMOUNTS, tryDocument, WITHOUT } from './try-document.ts';

async function run({ seed, examples, few }: typeof values): Promise<0 | 1> {
  const amount = few ? AMOUNTS.few : { ...AMOUNTS.all, examples: Number(examples) };
  const folder = await newDataDir();
  const product = await StandaloneProcess.start({ dataDir: folder, env: { LOG_LEVEL: 'error' } });
  try {
    const document = (await (await fetch(`${product.url}/openapi.json`)).json()) as Documented;
    const tried = await tryDocument(product, document, { seed, amount, folder });
    console.log(JSON.stringify({ ...tried, least: amount.leastCases, without: WITHOUT }));
    return tried.exit_code === 0 && tried.generated >= amount.leastCases ? 0 : 1;
  } finally {
    await product.stop();
    await removeDataDir(folder);
  }
}

const USAGE = `npm run schemathesis   starts a product and tries every documented operation with generated requests
  -- --seed 1          other requests
  -- --examples 10     how many of each operation
  -- --few             about a thousand, without the bounds of each field`;

function options() {
  try {
    return parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        examples: { type: 'string', default: '10' },
        few: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return refuseArguments('schemathesis', sentenceOf(error));
  }
}

endWithHelp(USAGE);
const { values } = options();
if (hasPython()) process.exitCode = await run(values);
else console.log('schemathesis was left out: there is no python3 of version 3.10 or newer with venv');
