import { describeWithKafka, describeWithPython } from '@fundrail/testing';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startFleet, type Product } from '../testing/open-products.ts';
import { newDataDir, removeDataDir } from '../testing/standalone-process.ts';
import type { Documented } from './examples.ts';
import { AMOUNTS, tryDocument } from './try-document.ts';

const SERVED_BY_EDGE = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url));
/** Includes the installation of schemathesis if it is missing. */
const RUN_LIMIT_MS = 900_000;
const { GENERATED_REQUESTS: WHICH } = process.env;
if (WHICH !== 'all' && WHICH !== 'few') throw new Error('GENERATED_REQUESTS is neither all nor few');
const AMOUNT = AMOUNTS[WHICH];

/** `npm run schemathesis` does the same with the standalone. */
describeWithPython('generated requests', () => {
  describeWithKafka('to separate processes over Kafka', () => {
    let product: Product;
    let folder: string;
    beforeAll(async () => {
      [product, folder] = await Promise.all([startFleet({ env: { LOG_LEVEL: 'error' } }), newDataDir()]);
    });
    afterAll(() => Promise.all([product.stop(), removeDataDir(folder)]));

    it(
      'are answered as the document declares',
      async () => {
        const document = JSON.parse(await readFile(SERVED_BY_EDGE, 'utf8')) as Documented;
        const tried = await tryDocument(product, document, { seed: '2', amount: AMOUNT, folder });
        expect(tried).toMatchObject({ with_failures: 0, exit_code: 0 });
        expect(tried.generated).toBeGreaterThanOrEqual(AMOUNT.leastCases);
      },
      RUN_LIMIT_MS,
    );
  });
});
