import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster, Pod } from './cluster.ts';
import { DEPLOYMENTS, rolledOut } from './product.ts';

const NODES = ['get', 'nodes', '-o', 'jsonpath={.items[*].metadata.name}'] as const;
const STATELESS = 'app.kubernetes.io/component in (service,edge)';
/** Without the simulator, which has one replica: it stands for somebody else. */
const REPLICATED = `${STATELESS},app.kubernetes.io/name!=simulator`;
const STORES = 'app.kubernetes.io/component in (database,broker)';

/** New pods for every Deployment, one after the other. */
export async function restartAll(cluster: Cluster): Promise<void> {
  for (const name of DEPLOYMENTS) {
    await cluster.kubectl('-n', 'fundrail', 'rollout', 'restart', `deployment/${name}`);
    await rolledOut(cluster, `deployment/${name}`);
  }
}

/** Deletes a ready pod at random, so often, each time waiting until its Deployment is whole again. Answers which. */
export async function deleteAtRandom(
  cluster: Cluster,
  times: number,
  random: () => number,
): Promise<string[]> {
  const deleted: string[] = [];
  while (deleted.length < times) {
    const pods = (await cluster.pods(REPLICATED)).filter(isReady);
    const pod = pods[Math.floor(random() * pods.length)];
    if (!pod) continue;
    await cluster.kubectl('-n', 'fundrail', 'delete', `pod/${pod.metadata.name}`, '--wait=false');
    deleted.push(pod.metadata.labels?.['app.kubernetes.io/name'] ?? '');
    await wholeAgain(cluster);
  }
  return deleted;
}

/**
 * Drains the nodes of every replicated pod by the eviction API, and uncordons them while that is under way: budgets let the
 * second replica go only when the first has a successor, which on one node needs a node that takes pods again.
 */
export async function evictAll(cluster: Cluster): Promise<number> {
  const before = await cluster.pods(REPLICATED);
  const nodes = (await cluster.kubectl(...NODES)).split(' ');
  const drained = cluster.kubectl(
    'drain',
    ...nodes,
    `--pod-selector=${REPLICATED}`,
    '--ignore-daemonsets',
    '--delete-emptydir-data',
    '--timeout=1200s',
  );
  const isOver = drained.then(
    () => true,
    () => true,
  );
  // Each node is cordoned first, then its pods go.
  while (!(await Promise.race([isOver, pause(2_000, false)]))) await cluster.kubectl('uncordon', ...nodes);
  await drained;
  await cluster.kubectl('uncordon', ...nodes);
  await wholeAgain(cluster);
  const left = new Set((await cluster.pods(REPLICATED)).map(({ metadata }) => metadata.name));
  const stayed = before.filter(({ metadata }) => left.has(metadata.name));
  if (stayed.length > 0)
    throw new Error(`not evicted: ${stayed.map(({ metadata }) => metadata.name).join(', ')}`);
  return before.length;
}

/** Takes away what has one replica: PostgreSQL, Kafka and the simulator. Requests may fail meanwhile; nothing may be lost. */
export async function takeStoresAway(cluster: Cluster): Promise<void> {
  for (const selector of [STORES, 'app.kubernetes.io/name=simulator,app.kubernetes.io/component=service'])
    await cluster.kubectl('-n', 'fundrail', 'delete', 'pods', '-l', selector);
  for (const name of ['postgres', 'kafka']) await rolledOut(cluster, `statefulset/${name}`);
  await wholeAgain(cluster);
}

/** Every Deployment has all its replicas ready. */
async function wholeAgain(cluster: Cluster): Promise<void> {
  for (const name of DEPLOYMENTS) await rolledOut(cluster, `deployment/${name}`);
}

function isReady({ status }: Pod): boolean {
  return status.phase === 'Running' && (status.containerStatuses ?? []).every(({ ready }) => ready);
}
