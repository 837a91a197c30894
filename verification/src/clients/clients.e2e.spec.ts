import { describeWithToolchain } from '@fundrail/testing';
import { describeStandalone, type Product } from '../testing/products.ts';
import { CLIENT_RECIPES } from './client-recipes.ts';
import { makeClient } from './make-client.ts';
import { TOOLCHAINS } from './toolchains.ts';

/** Includes the installation of a generator; each of its commands has a shorter limit of its own. */
const LIMIT_MS = 600_000;

// docs/clients.md: the commands and the programs that are printed there (OPS-11).
describeStandalone('the clients of docs/clients.md', (start) => {
  let product: Product;
  beforeAll(async () => {
    product = await start();
  });
  afterAll(() => product.stop());

  for (const recipe of CLIENT_RECIPES) {
    const { title, language, program } = recipe;
    describeWithToolchain(TOOLCHAINS[language].missing(), title, () => {
      it(
        program ? 'compiles, and buys' : 'compiles',
        async () => {
          const printed = await makeClient(recipe, product.url);
          if (program) expect(printed).toMatch(/^mfp_\w+ is successful$/m);
        },
        LIMIT_MS,
      );
    });
  }

  it('are those that people use, and two of them buy', () => {
    expect(CLIENT_RECIPES.map(({ title }) => title)).toEqual([
      'TypeScript: openapi-typescript',
      'TypeScript: hey-api',
      'TypeScript: orval',
      'Go: oapi-codegen',
      'Python: openapi-generator',
      'Java: openapi-generator',
    ]);
    expect(CLIENT_RECIPES.flatMap(({ language, program }) => (program ? [language] : []))).toEqual([
      'TypeScript',
      'Go',
    ]);
  });
});
