import { connect } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';

const LIMIT_MS = 2_000;

/**
 * Whether a Docker engine takes connections where Testcontainers looks for one. Checked before Testcontainers is loaded,
 * because loading it costs a second.
 */
export async function dockerAnswers(): Promise<boolean> {
  const given = process.env['DOCKER_HOST'];
  if (given) return takesConnections(addressOf(given));
  return (await Promise.all(sockets().map((path) => takesConnections({ path })))).includes(true);
}

/**
 * Starts the reaper, which removes the containers of a run that is killed. Without this, containers that start at the same
 * time create one each, and wait for each other's lock.
 */
export async function startReaper(): Promise<void> {
  const { getContainerRuntimeClient, getReaper } = await import('testcontainers');
  await getReaper(await getContainerRuntimeClient());
}

function sockets(): string[] {
  const runtime = process.env['XDG_RUNTIME_DIR'];
  return [
    '/var/run/docker.sock',
    ...(runtime ? [join(runtime, 'docker.sock')] : []),
    join(homedir(), '.docker/run/docker.sock'),
    join(homedir(), '.docker/desktop/docker.sock'),
  ];
}

type Address = { readonly path: string } | { readonly host: string; readonly port: number };

/** `unix:///var/run/docker.sock`, `tcp://host:2375`. */
function addressOf(dockerHost: string): Address {
  const { protocol, hostname, port, pathname } = new URL(dockerHost);
  return protocol === 'unix:' ? { path: pathname } : { host: hostname, port: Number(port) || 2375 };
}

/** Whether anything answers there within two seconds. */
export function takesConnections(address: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(LIMIT_MS, () => done(false));
    socket.once('error', () => done(false));
    socket.once('connect', () => done(true));
  });
}
