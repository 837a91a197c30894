// `npm run k8s:check`: the product in a real cluster, and what happens to it under traffic. Prints a line a check, and JSON last;
// exit code 0 only when all held. Cleans up after itself.
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@fundrail/testing';
import { endWithHelp, refuseArguments } from '../../apps/standalone/src/usage.ts';
import { booksSoFar, nothingWasLost } from './audit.ts';
import { Cluster } from './cluster.ts';
import { conversationsAreThoseOfTheTable } from './conversations.ts';
import type { Figures } from './counting-client.ts';
import { deleteAtRandom, evictAll, restartAll, takeStoresAway } from './disruptions.ts';
import { ELSEWHERE, startGuests } from './guests.ts';
import { exchangeKey } from './key-exchange.ts';
import { migrationsCameFirst } from './migrations.ts';
import { Product } from './product.ts';
import { NotSo, Report } from './report.ts';
import { scalesOnLoad } from './scaling.ts';
import { Traffic } from './traffic.ts';

const DEMO = ['-n', 'fundrail', 'get', 'job/demo', '-o', 'json'] as const;
const DELETIONS = 6;
/** How long the traffic runs with nothing done to the product, as a measure of the rest. */
const UNDISTURBED_MS = 15_000;

endWithHelp(
  'npm run k8s:check   deploys the product to a cluster, disturbs it under traffic, and removes it again',
);
const [unknown] = process.argv.slice(2);
if (unknown !== undefined) refuseArguments('k8s:check', `not understood: ${unknown}`);
const report = new Report();
const cluster = openCluster();
const product = new Product();
const traffic = new Traffic(cluster.edgeUrl);
console.log(`${cluster.name}, ${cluster.edgeUrl}, images :${product.tag}`);

function openCluster(): Cluster {
  try {
    return Cluster.open();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

/** The clients' results; throws when any request failed. */
function unharmed(name: string, { failures, ...figures }: Figures): string {
  report.figures[name] = figures;
  if (figures.failed > 0)
    throw new NotSo(`${figures.failed} of ${figures.requests} failed: ${failures.join('; ')}`);
  if (figures.requests === 0) throw new NotSo('there was no traffic');
  return `${figures.requests} requests, none failed, slowest ${figures.slowest_ms} ms`;
}

/** An existing namespace belongs to someone else, and the check would delete it at the end. */
async function namespacesAreFree(): Promise<string> {
  const found = await cluster.kubectl(
    'get',
    'namespace',
    'fundrail',
    ELSEWHERE,
    '--ignore-not-found',
    '-o',
    'name',
  );
  if (found.trim())
    throw new NotSo(`${found.trim().split('\n').join(', ')}: remove it, if you can do without`);
  return '';
}

async function deploy(): Promise<boolean> {
  const check: Report['check'] = (says, look) => report.check(says, look);
  return (
    (await check('images are built', () => product.build())) &&
    (await check('images are in the cluster', async () => (await product.load(cluster), ''))) &&
    (await check(
      'overlays/local is applied, and everything is ready',
      async () => (await product.deploy(cluster), ''),
    )) &&
    (await check('each migration Job ended before its service began', () =>
      migrationsCameFirst(cluster, product.tag),
    ))
  );
}

async function demo(): Promise<string> {
  await product.applyDemo(cluster);
  const status = await waitFor(async () => ended(await cluster.kubectl(...DEMO)), {
    limitMs: 600_000,
    everyMs: 1_000,
    what: 'the demo to end',
  });
  const log = (await cluster.kubectl('-n', 'fundrail', 'logs', 'job/demo')).trim().split('\n');
  if (status === 'Failed') throw new NotSo(log.slice(-3).join(' | '));
  return log.at(-1)?.trim() ?? '';
}

function ended(job: string): string | undefined {
  const { conditions = [] } = (JSON.parse(job) as { status: { conditions?: { type: string }[] } }).status;
  return conditions.find(({ type }) => type === 'Complete' || type === 'Failed')?.type;
}

async function disturb(): Promise<void> {
  await report.check('undisturbed traffic', async () =>
    unharmed('undisturbed', await traffic.during(() => pause(UNDISTURBED_MS))),
  );
  await report.check('every Deployment is restarted', async () =>
    unharmed('restarts', await traffic.during(() => restartAll(cluster))),
  );
  let said = '';
  await report.check('identity is given another encryption key', async () => {
    const figures = await traffic.during(async () => (said = await exchangeKey(cluster)));
    return `${said}; ${unharmed('key_exchange', figures)}`;
  });
  let deleted: string[] = [];
  await report.check('pods are deleted at random', async () => {
    const figures = await traffic.during(
      async () => (deleted = await deleteAtRandom(cluster, DELETIONS, Math.random)),
    );
    return `${deleted.join(', ')}; ${unharmed('deletions', figures)}`;
  });
  let evicted = 0;
  await report.check('all are evicted, the node uncordoned', async () => {
    const figures = await traffic.during(async () => (evicted = await evictAll(cluster)));
    return `${evicted} pods; ${unharmed('evictions', figures)}`;
  });
  await report.check('PostgreSQL, Kafka and the simulator are taken away', async () => {
    const { failures: _, ...figures } = await traffic.during(() => takeStoresAway(cluster));
    report.figures['stores_away'] = figures;
    return `${figures.failed} of ${figures.requests} requests had to be sent again`;
  });
}

async function all(): Promise<void> {
  if (!(await report.check('our namespaces are free', namespacesAreFree))) return;
  areOurs = true;
  if (!(await deploy())) return;
  await report.check(
    'the API server accepts overlays/production',
    async () => (await product.tryProduction(cluster), ''),
  );
  await startGuests(cluster, product.image('webhooks'));
  await traffic.listen();
  await report.check('NetworkPolicies allow and refuse', () => conversationsAreThoseOfTheTable(cluster));
  await report.check('the demo walks through the node port', demo);
  const others = await booksSoFar(cluster);
  traffic.start();
  try {
    await disturb();
  } finally {
    await traffic.stop();
  }
  await report.check('every purchase came to its end', () => Promise.resolve(purchases()));
  await report.check('no event was lost, doubled or out of order', async () => {
    const { events, webhooks } = await nothingWasLost(cluster, traffic, others);
    Object.assign(report.figures, { events, webhooks });
    return `${events} events in the outboxes, ${webhooks} webhooks arrived`;
  });
  await report.check('the HorizontalPodAutoscaler scales on load', () =>
    scalesOnLoad(cluster, traffic.client),
  );
}

function purchases(): string {
  report.figures['purchases'] = traffic.walks;
  if (traffic.broken.length > 0) throw new NotSo(traffic.broken.slice(0, 3).join('; '));
  return `${traffic.walks} purchases`;
}

/** Whether the namespaces are there because of us. */
let areOurs = false;
let cleaned: Promise<void> | null = null;
/** Removes everything that was created, also after a failure; only once, even when a signal repeats. */
function cleanUp(): Promise<void> {
  return (cleaned ??= removeAll());
}

async function removeAll(): Promise<void> {
  if (areOurs)
    await cluster.kubectl('delete', 'namespace', 'fundrail', ELSEWHERE, '--ignore-not-found').catch(() => '');
  await product.remove();
  await cluster.close();
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    console.log(`${signal}: cleaning up`);
    void cleanUp().finally(() => process.exit(1));
  });
try {
  await all();
} catch (error) {
  await report.check('ran to its end', () => {
    throw error;
  });
} finally {
  await cleanUp();
}
console.log(report.json());
process.exitCode = report.failed > 0 ? 1 : 0;
