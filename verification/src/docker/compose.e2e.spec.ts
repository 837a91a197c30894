import { errorBody, SERVICES } from '@fundrail/contracts';
import { SANDBOX_SECRETS } from '@fundrail/service-kit';
import { describeWithDocker, waitFor } from '@fundrail/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT, run } from '../testing/docker/build-image.ts';
import { ComposeProject } from '../testing/docker/compose-project.ts';

const DEMO = join(ROOT, 'apps/standalone/dist/demo/main.js');
const ENDED_WELL = 'All of it ended where it should.';
/** On two busy cores: images from nothing, PostgreSQL, Kafka, five migrations, five services. */
const START_LIMIT_MS = 600_000;
const WALK_LIMIT_MS = 600_000;

describeWithDocker('docker compose -f docker/compose.yaml up (OPS-8)', () => {
  let project: ComposeProject;

  beforeAll(async () => {
    project = await ComposeProject.create();
    project.up();
    await waitFor(async () => (await fetch(`${project.url}/health/ready`)).ok, {
      limitMs: START_LIMIT_MS,
      everyMs: 500,
      what: 'the edge',
    });
  }, START_LIMIT_MS);
  afterAll(() => project.compose('down', '--volumes', '--timeout', '15'), 120_000);

  it(
    'needs no other step for npm run demo, and loses nothing while services are restarted under it',
    async () => {
      // given
      const env = { ...process.env, NODE_OPTIONS: '', BASE_URL: project.url };
      const demo = spawn(process.execPath, [DEMO], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const exited = once(demo, 'exit');
      const said: string[] = [];
      const restarts: Promise<string>[] = [];
      demo.stderr.on('data', (part: Buffer) => said.push(part.toString()));
      // when
      for await (const line of createInterface({ input: demo.stdout })) {
        said.push(line);
        // Each in the middle of a walk, while the demo goes on.
        if (line === 'Two orders in one payment') restarts.push(project.compose('restart', 'orders'));
        if (line === 'The registrar refuses a paid order')
          restarts.push(project.compose('restart', 'payments'));
      }
      await Promise.all(restarts);
      // then
      const [code] = (await exited) as [number | null];
      if (code !== 0) said.push(await complaints());
      expect([code, said.join('\n')]).toEqual([0, expect.stringContaining(ENDED_WELL)]);
    },
    WALK_LIMIT_MS,
  );

  it('takes the first five calls of the README', async () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const [, calls = ''] = /## The first five calls[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? [];
    const { stdout } = await run('bash', [
      '-c',
      calls.replace('http://127.0.0.1:3000', project.url).replace('sleep 1', 'sleep 5'),
    ]);
    expect(stdout.trim().split('\n').at(-1)).toContain('"state":"confirmed"');
  });

  it.each([
    ['/openapi.json', '"openapi":'],
    ['/asyncapi.json', '"asyncapi":'],
    ['/docs', 'swagger-ui'],
  ])('serves %s', async (path, holds) => {
    const answer = await fetch(project.url + path);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(holds)]);
  });

  it.each(['/internal/claims', '/metrics', '/nothing'])('answers 404 at %s', async (path) => {
    const answer = await fetch(project.url + path, { method: 'POST', body: '{}' });
    expect([answer.status, errorBody.parse(await answer.json()).error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('runs each process as a user who is not root, on a file system that it cannot write to', async () => {
    for (const name of [...SERVICES, 'edge']) {
      const asked = 'id -u; touch /app/x /etc/x 2>/dev/null || echo read-only';
      const [uid, file] = (await project.compose('exec', '-T', name, 'sh', '-c', asked)).split('\n');
      expect([name, Number(uid) > 0, file]).toEqual([name, true, 'read-only']);
    }
  });

  it('re-encrypts in a container under the key of the services, and refuses a key that one of them lacks', async () => {
    const rotate = ['identity', 'node', 'main.js', 'keys', 'rotate'];
    expect(await project.compose('exec', '-T', ...rotate)).toContain('identity: everything is under ');
    const another = `DATA_ENCRYPTION_KEY=${'0123456789'.repeat(4)},${SANDBOX_SECRETS.DATA_ENCRYPTION_KEY}`;
    await expect(project.compose('exec', '-T', '-e', another, ...rotate)).rejects.toThrow(
      'identity: nothing was done: a replica runs without the key',
    );
  });

  it('stops with exit code 0 in every service, and starts again with what it had', async () => {
    const before = await seed();
    await project.compose('stop');
    const ours = (await project.containers()).filter(({ Service }) => Service !== 'kafka');
    expect(ours.map(({ Service, ExitCode }) => [Service, ExitCode])).toEqual(
      ours.map(({ Service }) => [Service, 0]),
    );
    expect(ours.map(({ Service }) => Service)).toEqual(
      expect.arrayContaining([...SERVICES, 'edge', 'postgres']),
    );
    await project.compose('up', '--detach');
    expect(await waitFor(seed, { limitMs: 120_000, what: 'the seed' })).toEqual(before);
  }, 240_000);

  /** The last warnings and errors that the containers have logged. */
  async function complaints(): Promise<string> {
    const lines = (await project.compose('logs', '--no-color')).split('\n');
    return lines
      .filter((line) => /"level":"(?:warn|error)"/.test(line))
      .slice(-20)
      .join('\n');
  }

  async function seed(): Promise<unknown> {
    const answer = await fetch(`${project.url}/sandbox/seed`);
    return answer.ok ? answer.json() : null;
  }
});
