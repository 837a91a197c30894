import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brokerAnswers } from './broker-answers.ts';
import { asEnvironment, serverProperties } from './broker-settings.ts';

const MAIN = join(import.meta.dirname, 'main.ts');

describe('npm run kafka', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fundrail-tool-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** On a machine that has only what stands in `folder`. */
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [MAIN, ...args], {
      encoding: 'utf8',
      env: { PATH: folder, XDG_CACHE_HOME: folder, NODE_OPTIONS: '' },
    });
  const program = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const java = (version: string) => program('java', `echo 'openjdk version "${version}"' >&2`);

  it.each([['begin'], ['start', '0'], ['start', 'abc'], ['stop', '65535']])(
    'prints the unknown arguments and how to get its usage, when it is called with %s %s',
    (...args: string[]) => {
      const { status, stderr } = run(...args);
      expect([status, stderr]).toEqual([
        2,
        `not understood: ${args.join(' ')}; see npm run kafka -- --help\n`,
      ]);
    },
  );

  it('reports that it needs Java', () => {
    const { status, stderr } = run('start', '61092');
    expect([status, stderr]).toEqual([
      1,
      'kafka: Java 17 or newer is needed, and there is no java in the PATH\n',
    ]);
  });

  it('reports that this Java is too old', () => {
    java('11.0.2');
    expect(run('start', '61092').stderr).toBe('kafka: Java 17 or newer is needed, and this one is 11\n');
  });

  it('reports that it needs Maven', () => {
    java('21.0.1');
    expect(run('start', '61092').stderr).toBe(
      'kafka: Maven is needed for the first start, and there is no mvn in the PATH\n',
    );
  });

  it('prints why Maven failed, and leaves no partial folder of jars', () => {
    java('21.0.1');
    program('mvn', 'if [ "$1" != --version ]; then echo no route to the registry; exit 1; fi');
    const { status, stderr } = run('start', '61092');
    expect([status, stderr]).toEqual([1, expect.stringContaining('no route to the registry')]);
    // The second time it calls Maven again.
    expect(run('start', '61092').stderr).toBe(stderr);
  });

  it('knows that nothing runs', () => {
    const { status, stderr } = run('status', '61092');
    expect([status, stderr]).toEqual([1, 'kafka: not running on 127.0.0.1:61092\n']);
    expect(run('stop', '61092').status).toBe(0);
  });
});

describe('the settings of a broker', () => {
  it('keep it on this machine, and its topics to those that were made', () => {
    const lines = serverProperties(9092, '/data').split('\n');
    expect(lines).toContain('listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093');
    expect(lines).toContain('auto.create.topics.enable=false');
    expect(lines).toContain('log.dirs=/data');
  });

  it('become the variables of the image', () => {
    expect(asEnvironment({ 'log.segment.bytes': '1' })).toEqual({ KAFKA_LOG_SEGMENT_BYTES: '1' });
  });
});

describe('whether a broker answers', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());
  const serve = async (answer: number[]): Promise<number> => {
    const listening = createServer((socket) => socket.on('data', () => socket.end(Buffer.from(answer))));
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    return (listening.address() as AddressInfo).port;
  };

  it.each([
    ['the answer of a broker', [0, 0, 0, 10, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0], true],
    ['the answer to another request', [0, 0, 0, 10, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0], false],
    ['an error', [0, 0, 0, 10, 0, 0, 0, 7, 0, 35, 0, 0, 0, 0], false],
    ['a connection that ends', [], false],
  ])('is determined by %s', async (_what, bytes, answers) => {
    expect(await brokerAnswers('127.0.0.1', await serve(bytes))).toBe(answers);
  });
});
