// `npm run shape`: the figures of the code's shape, each with its limit and what is wanted. Exits with 1 when one is over its limit.
// `npm run shape -- "import circles"` lists the places of one.
import { fileURLToPath } from 'node:url';
import { faultsOf, LIMITS } from './limits.ts';
import { readSourceFiles } from './source-files.ts';
import { shapeOf } from './table.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const measures = shapeOf(ROOT, readSourceFiles(ROOT));
const [wanted] = process.argv.slice(2);

if (wanted === undefined) {
  console.log(`${'measure'.padEnd(52)}${'now'.padStart(8)}${'limit'.padStart(8)}${'wanted'.padStart(8)}`);
  for (const { name, count } of measures) {
    const { limit = '', wanted: aim = '' } = LIMITS[name] ?? {};
    console.log(
      `${name.padEnd(52)}${String(count).padStart(8)}${String(limit).padStart(8)}${String(aim).padStart(8)}`,
    );
  }
  const faults = faultsOf(measures);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
} else {
  const found = measures.find(({ name }) => name === wanted);
  if (!found) {
    console.error(`no such measure: ${measures.map(({ name }) => `"${name}"`).join(', ')}`);
    process.exitCode = 1;
  }
  for (const place of found?.places ?? []) console.log(place);
}
