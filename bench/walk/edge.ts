import { SERVICES } from '@fundrail/contracts';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Part } from '../lib/cpu-time.ts';
import { freePort } from '../lib/processes.ts';
import type { ServiceUrls } from '../lib/services.ts';

const CONFIGURATION = fileURLToPath(new URL('../../docker/edge', import.meta.url));
const START_LIMIT_MS = 10_000;

/** nginx before the services. */
interface BenchEdge extends AsyncDisposable {
  readonly url: string;
  readonly part: Part;
}

/** The product's edge with its own configuration, other addresses and no log; null where nginx is not installed. */
export async function startEdge(services: ServiceUrls): Promise<BenchEdge | null> {
  if (spawnSync('nginx', ['-v']).error) return null;
  const directory = await mkdtemp(join(tmpdir(), 'fundrail-edge-'));
  const port = await freePort();
  writeFileSync(join(directory, 'edge.conf'), variables(services));
  writeFileSync(
    join(directory, 'nginx.conf'),
    readFileSync(join(CONFIGURATION, 'nginx.conf'), 'utf8')
      .replaceAll(' /tmp/', ` ${directory}/`)
      .replaceAll('/etc/fundrail-edge/', `${CONFIGURATION}/`)
      .replace('http://$service$upstream_suffix:3000', 'http://$upstream_address')
      .replace('listen 8080', `listen 127.0.0.1:${port}`),
  );
  const child = spawn('nginx', ['-e', 'stderr', '-c', join(directory, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.once('exit', () => {
    child.kill('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  return {
    url,
    part: { name: 'edge', pid: child.pid ?? 0, withChildren: true },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** What the entry point of the image writes. */
function variables(services: ServiceUrls): string {
  const addresses = SERVICES.map((name) => `${name} ${new URL(services[name]).host};`);
  return `map "" $sandbox { default "false"; }
map "" $admin { default "true"; }
map "" $strict_transport_security { default ""; }
map $service $upstream_address { default ""; ${addresses.join(' ')} }
limit_conn per_address 10000;
`;
}

async function untilReady(url: string): Promise<void> {
  const end = performance.now() + START_LIMIT_MS;
  for (;;) {
    const ok = await fetch(`${url}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ok) return;
    if (performance.now() > end) throw new Error('the edge is not ready');
    await pause(50);
  }
}
