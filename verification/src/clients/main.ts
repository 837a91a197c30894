// `npm run clients`: generates and compiles every client of docs/clients.md, and lets those with a program buy from a new product.
// Exits with 0 only when each of them did.
import { endWithHelp, refuseArguments, sentenceOf } from '@fundrail/standalone';
import { HOW_TO_GET } from '@fundrail/testing';
import { newDataDir, removeDataDir, StandaloneProcess } from '../testing/standalone-process.ts';
import { CLIENT_RECIPES, type ClientRecipe } from './client-recipes.ts';
import { makeClient } from './make-client.ts';
import { TOOLCHAINS } from './toolchains.ts';

const USAGE = `npm run clients   generates and compiles each client of docs/clients.md; two of them buy from a new product
  -- go java      those whose title contains a word: ${CLIENT_RECIPES.map(({ title }) => title).join(', ')}`;

async function follow(recipe: ClientRecipe, baseUrl: string): Promise<boolean> {
  const { title, language, program } = recipe;
  const missing = TOOLCHAINS[language].missing();
  if (missing) {
    console.log(`${title} was left out. To run it: ${HOW_TO_GET[missing]}`);
    return true;
  }
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  try {
    await makeClient(recipe, baseUrl);
    console.log(`${title} compiles${program ? ' and buys' : ''} (${seconds()})`);
    return true;
  } catch (error) {
    console.error(`${title} failed (${seconds()}): ${sentenceOf(error)}`);
    return false;
  }
}

endWithHelp(USAGE);
const words = process.argv.slice(2).map((word) => word.toLowerCase());
const isNamed = ({ title }: ClientRecipe, word: string) => title.toLowerCase().includes(word);
const unknown = words.find((word) => !CLIENT_RECIPES.some((recipe) => isNamed(recipe, word)));
if (unknown !== undefined) refuseArguments('clients', `no client is named ${unknown}`);
const chosen = CLIENT_RECIPES.filter(
  (recipe) => words.length === 0 || words.some((word) => isNamed(recipe, word)),
);
const folder = await newDataDir();
const product = await StandaloneProcess.start({ dataDir: folder, env: { LOG_LEVEL: 'error' } });
try {
  // One after the other: each uses all cores.
  for (const recipe of chosen) if (!(await follow(recipe, product.url))) process.exitCode = 1;
} finally {
  await product.stop();
  await removeDataDir(folder);
}
