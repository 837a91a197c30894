import { PORTS, SERVICES } from '@fundrail/contracts';
import { CONVERSATIONS } from '../k8s/conversations.ts';
import type { Cluster, Pod } from './cluster.ts';
import { ELSEWHERE } from './guests.ts';
import { NotSo } from './report.ts';

const NAME = 'app.kubernetes.io/name';
const COMPONENT = 'app.kubernetes.io/component';
const TABLE = CONVERSATIONS.local;

/** Ports with a listener: on any other, a refusal proves nothing about a policy. */
const LISTENING: Readonly<Record<string, readonly number[]>> = {
  edge: [PORTS.edge],
  ...Object.fromEntries(SERVICES.map((name) => [name, [PORTS.http, PORTS.ops]])),
  postgres: [5432],
  kafka: [9092, 9093],
  buyer: [8080],
};

const TRIES = 3;

interface End {
  readonly name: string;
  readonly namespace: string;
  readonly pod: string;
  readonly address: string;
}

interface Target {
  /** `orders:3000` */
  readonly what: string;
  readonly address: string;
  readonly port: number;
}

/**
 * Tries from a pod of each kind to connect to a pod of each other kind, on each port that is listened on, and to the API
 * server; compares what came through with the table of conversations.
 */
export async function conversationsAreThoseOfTheTable(cluster: Cluster): Promise<string> {
  const ends = await endsOf(cluster);
  const targets = [...targetsOf(ends), await apiServer(cluster)];
  const seen = await Promise.all(ends.map(async (from) => differencesOf(cluster, from, targets)));
  const wrong = seen.flatMap(({ wrong }) => wrong);
  if (wrong.length > 0) throw new NotSo(wrong.join('; '));
  const opened = seen.reduce((sum, { opened }) => sum + opened, 0);
  const tried = seen.reduce((sum, { tried }) => sum + tried, 0);
  return `${tried} tried, ${opened} came through, ${tried - opened} were refused, all as in the table`;
}

async function differencesOf(cluster: Cluster, from: End, targets: readonly Target[]) {
  const others = targets.filter(
    ({ what }) => !what.startsWith(`${from.name}:`) && isCoveredByPolicy(from, what),
  );
  const open = new Set<string>();
  // On a busy machine a connection may take longer than it is given; what was refused once too many is tried again.
  for (let tries = 0; tries < TRIES; tries += 1) {
    for (const what of await opened(cluster, from, others)) open.add(what);
    if (others.every(({ what }) => open.has(what) || !isWanted(from.name, what))) break;
  }
  const wrong = others
    .filter(({ what }) => open.has(what) !== isWanted(from.name, what))
    .map(({ what }) => `${from.name} ${open.has(what) ? 'reaches' : 'does not reach'} ${what}`);
  return { wrong, tried: others.length, opened: open.size };
}

function isWanted(from: string, what: string): boolean {
  const [name = ''] = what.split(':');
  return TABLE[from]?.some((row) => row === what || row === `${name}:*`) ?? false;
}

/** Our policies do not cover requests of pods of other namespaces to the API server. */
function isCoveredByPolicy(from: End, what: string): boolean {
  return from.namespace === 'fundrail' || !what.startsWith('kubernetes:');
}

/** Every image has bash and coreutils; each connection gets 3 s, all at the same time. */
async function opened(cluster: Cluster, from: End, targets: readonly Target[]): Promise<string[]> {
  const tries = targets.map(
    ({ what, address, port }) =>
      `(timeout 3 bash -c 'exec 3<>/dev/tcp/${address}/${port}' 2>/dev/null && echo ${what}) &`,
  );
  const script = `${tries.join('\n')}\nwait; true`;
  const text = await cluster.kubectl('-n', from.namespace, 'exec', from.pod, '--', 'bash', '-c', script);
  return text.split('\n').filter(Boolean);
}

async function endsOf(cluster: Cluster): Promise<End[]> {
  const own = await cluster.pods();
  const others = await cluster.pods('', ELSEWHERE);
  const running = (pod: Pod) => pod.status.phase === 'Running' && pod.status.podIP !== undefined;
  const found = [
    ...own.filter(running).map((pod) => endOf(pod, 'fundrail')),
    ...others.filter(running).map((pod) => endOf(pod, ELSEWHERE)),
  ];
  const first = [...Map.groupBy(found, ({ name }) => name).values()].flatMap(([end]) => (end ? [end] : []));
  const missing = Object.keys(TABLE).filter((name) => !first.some((end) => end.name === name));
  if (missing.length > 0) throw new NotSo(`there is no pod ${missing.join(', ')}`);
  return first;
}

function endOf({ metadata, status }: Pod, namespace: string): End {
  // Guests by what they stand for; a pod that has no labels by its name.
  const { [COMPONENT]: component = '', [NAME]: own = metadata.name } = metadata.labels ?? {};
  const name = ['buyer', 'migration'].includes(component) ? component : own;
  return { name, namespace, pod: metadata.name, address: status.podIP ?? '' };
}

function targetsOf(ends: readonly End[]): Target[] {
  return ends.flatMap(({ name, address }) =>
    (LISTENING[name] ?? []).map((port) => ({ what: `${name}:${port}`, address, port })),
  );
}

async function apiServer(cluster: Cluster): Promise<Target> {
  const address = await cluster.kubectl(
    '-n',
    'default',
    'get',
    'service/kubernetes',
    '-o',
    'jsonpath={.spec.clusterIP}',
  );
  return { what: 'kubernetes:443', address, port: 443 };
}
