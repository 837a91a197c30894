import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildService, loggedAbout } from './child-service.ts';

describe('what processes have logged about a request', () => {
  let folder: string;
  const started: ChildService[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fundrail-child-'));
    const lines = [
      'ready',
      '{"request_id":"one","msg":"a"}',
      '{"request_id":"two"}',
      '{"request_id":"one","msg":"b"}',
    ];
    const main = join(folder, 'main.mjs');
    await writeFile(main, `console.log(${JSON.stringify(lines.join('\n'))}); setInterval(() => {}, 1000);`);
    for (let left = 2; left > 0; left -= 1)
      started.push(await ChildService.start({ main, env: {}, ready: /"b"/ }));
  });
  afterAll(async () => {
    await Promise.all(started.map((child) => child.kill()));
    await rm(folder, { recursive: true });
  });

  it('is each line with its id, of each process, also of one that died on it', async () => {
    const ofOne = ['{"request_id":"one","msg":"a"}', '{"request_id":"one","msg":"b"}'];
    expect(loggedAbout('one')).toEqual([...ofOne, ...ofOne]);
    await started[0]?.kill();
    expect(loggedAbout('one')).toEqual([...ofOne, ...ofOne]);
  });
});
