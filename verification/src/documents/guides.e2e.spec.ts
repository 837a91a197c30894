import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newDataDir, removeDataDir, StandaloneProcess } from '../testing/standalone-process.ts';

const GUIDES = new URL('../../../docs/guides/', import.meta.url);
const LIMIT_MS = 240_000;

/** The code of the blocks of a guide in that language, as printed. */
async function printed(guide: string, language: string): Promise<string> {
  const text = await readFile(new URL(`${guide}.md`, GUIDES), 'utf8');
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))];
  expect(blocks.length).toBeGreaterThan(0);
  return blocks.map(([, code = '']) => code).join('\n');
}

describe('the guides', () => {
  let dataDir: string;
  let folder: string;
  let standalone: StandaloneProcess;
  beforeAll(async () => {
    [dataDir, folder] = await Promise.all([newDataDir(), mkdtemp(join(tmpdir(), 'fundrail-guides-'))]);
    standalone = await StandaloneProcess.start({ dataDir });
  });
  afterAll(async () => {
    await standalone.stop();
    await Promise.all([removeDataDir(dataDir), rm(folder, { recursive: true })]);
  });

  /** Runs a program with the product's address, and returns the lines that it prints. */
  const run = async (command: string, file: string, code: string) => {
    await writeFile(join(folder, file), code);
    const { stdout } = await promisify(execFile)(command, [join(folder, file)], {
      env: { PATH: process.env['PATH'], BASE: standalone.url },
      timeout: LIMIT_MS,
    });
    return stdout.trimEnd().split('\n');
  };

  it.each([
    ['sh', 'sh', 'first-purchase.sh'],
    ['ts', process.execPath, 'first-purchase.mts'],
    ['python', 'python3', 'first_purchase.py'],
  ])(
    'lead to a successful purchase when the %s of the first one is run as printed',
    async (language, command, file) => {
      const lines = await run(command, file, await printed('first-purchase', language));
      expect(lines.at(-1)).toBe('successful');
      expect(lines.some((line) => line.startsWith('upi://pay?'))).toBe(true);
    },
    LIMIT_MS + 10_000,
  );

  it(
    'make an investor who can buy, when they are run one after the other',
    async () => {
      const both = await Promise.all(['first-purchase', 'new-investor'].map((guide) => printed(guide, 'sh')));
      const [ids = '', order = '', state] = (await run('sh', 'both.sh', both.join('\n'))).slice(-3);
      expect(ids).toMatch(/^invp_[0-9a-f]+ bac_[0-9a-f]+ mfia_[0-9a-f]+$/);
      expect(JSON.parse(order)).toMatchObject({
        mf_investment_account: ids.split(' ')[2],
        state: 'under_review',
      });
      expect(state).toBe('pending');
    },
    LIMIT_MS + 10_000,
  );

  it(
    'lead an operator to a tenant of his own, whose client reads it',
    async () => {
      const both = await Promise.all(
        ['first-purchase', 'sandbox-operator'].map((guide) => printed(guide, 'sh')),
      );
      const [settings = '', tenant = ''] = (await run('sh', 'operator.sh', both.join('\n'))).slice(-2);
      expect(JSON.parse(settings)).toMatchObject({
        settings: { display_name: 'Asha Invest' },
      });
      expect(JSON.parse(tenant)).toMatchObject({
        object: 'tenant',
        name: expect.stringMatching(/^invest-\d+$/),
      });
    },
    LIMIT_MS + 10_000,
  );

  it('are served with their files, and an unknown one is a 404 (OPS-19)', async () => {
    const typeOf = async (path: string) => {
      const answer = await fetch(`${standalone.url}/docs/guides${path}`);
      await answer.body?.cancel();
      return [path, answer.status, answer.headers.get('content-type')];
    };
    const index = await (await fetch(`${standalone.url}/docs/guides`)).text();
    const linked = [...index.matchAll(/href="\/docs\/guides(\/[a-z-]+)"/g)].map(([, path = '']) => path);
    expect(new Set(linked).size).toBeGreaterThan(15);
    for (const path of ['', '/', ...[...new Set(linked)].flatMap((page) => [page, `${page}/`])])
      expect(await typeOf(path)).toEqual([path, 200, 'text/html; charset=utf-8']);
    for (const path of ['/specification-payments', '/decisions-0062-guides-are-pages-made-by-the-build'])
      expect(await typeOf(path)).toEqual([path, 200, 'text/html; charset=utf-8']);
    for (const path of ['/search.json', '/fundrail.postman_collection.json'])
      expect(await typeOf(path)).toEqual([path, 200, 'application/json; charset=utf-8']);
    for (const path of ['/nothing', '/nothing/', '/index.html', '/search.json/', '//', '/..%2fmain.js'])
      expect(await typeOf(path)).toEqual([path, 404, 'application/json; charset=utf-8']);
  });
});
