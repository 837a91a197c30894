import { jest } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { takeTurns, type Turn } from '../../bench/peers/turns.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => JSON.parse(readFileSync(`${ROOT}${file}`, 'utf8')) as Record<string, unknown>;

describe('the comparison with a peer', () => {
  const taken: string[] = [];
  const contender = (name: string, turns: readonly Turn[]) => {
    const left = [...turns];
    return (rows: number) => {
      taken.push(`${name} ${rows}`);
      return Promise.resolve(left.shift() ?? { ps: Number.NaN, cpu: {} });
    };
  };
  const turn = (ps: number, PostgreSQL: number, node: number): Turn => ({ ps, cpu: { PostgreSQL, node } });

  it('takes turns, leaves the first of each out, and has the medians of the others', async () => {
    const log = jest.spyOn(console, 'log').mockReturnValue();
    const ours = contender('ours', [
      turn(1, 900, 900),
      turn(90, 20, 10),
      turn(100, 20, 20),
      turn(300, 30, 20),
    ]);
    const peer = contender('peer', [turn(9, 1, 1), turn(30, 60, 30), turn(50, 80, 40), turn(75, 60, 40)]);
    const compared = await takeTurns(250, ours, peer, { peer: '1.0.0' });
    log.mockRestore();
    expect(taken).toEqual(Array.from({ length: 4 }, () => ['ours 250', 'peer 250']).flat());
    expect(compared).toEqual({
      rows: 250,
      ...{ ours_ps: 100, peer_ps: 50, times_rate: 3, ours_cpu_us: 40, peer_cpu_us: 100, times_cpu: 3 },
      ours_by_process: { PostgreSQL: 20, node: 20 },
      peer_by_process: { PostgreSQL: 60, node: 40 },
      versions: { peer: '1.0.0' },
      load: expect.any(Number),
    });
  });
});

describe('the packages of peers', () => {
  const folders = globSync('bench/peers/*/package.json', { cwd: ROOT }).map(
    (file) => file.split('/')[2] ?? '',
  );

  it.each(folders)(
    'are pinned to one version in their own folder, and are none of the product: %s',
    (name) => {
      const { version, dependencies } = read(`bench/peers/${name}/package.json`);
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(dependencies).toEqual({ [name]: version });
      expect(read(`bench/peers/${name}/package-lock.json`)).toMatchObject({
        packages: { [`node_modules/${name}`]: { version } },
      });
      const { packages } = read(`bench/peers/${name}/package-lock.json`);
      const { '': root, ...fetched } = packages as Record<string, Readonly<Record<string, unknown>>>;
      expect(root).toBeDefined();
      for (const one of Object.values(fetched)) {
        expect(one).toHaveProperty('integrity');
        expect(one).not.toHaveProperty('hasInstallScript');
      }
      expect(read('package-lock.json')).not.toHaveProperty(['packages', `node_modules/${name}`]);
    },
  );

  it('are named with their versions in their page, as the one that Maven fetches is', () => {
    const page = readFileSync(`${ROOT}bench/peers/README.md`, 'utf8');
    const [, debezium = ''] = readFileSync(`${ROOT}bench/peers/debezium/pom.xml`, 'utf8').split(
      /<\/?debezium\.version>/,
    );
    const versions = folders.map(
      (name) => `${name} ${String(read(`bench/peers/${name}/package.json`)['version'])}`,
    );
    for (const words of [...versions, `Debezium ${debezium}`]) expect(page).toContain(words);
  });

  it('run Kafka Connect in the version of the broker', () => {
    const versionIn = (pom: string) => readFileSync(`${ROOT}${pom}`, 'utf8').split(/<\/?kafka\.version>/)[1];
    expect(versionIn('bench/peers/debezium/pom.xml')).toBe(versionIn('tools/kafka/pom.xml'));
  });
});
