import { SERVICES, storedNameOf, type ServiceName } from '@fundrail/contracts';
import { waitFor } from '@fundrail/testing';
import pg from 'pg';
import { audit, type BuyerView } from '../../verification/src/testing/crash/audit.ts';
import type { DatabaseView } from '../../verification/src/testing/crash/product-databases.ts';
import { untilQuiet } from '../../verification/src/testing/crash/quiet.ts';
import type { Cluster } from './cluster.ts';
import { receivedBy } from './receiver.ts';
import { NotSo } from './report.ts';
import type { Traffic } from './traffic.ts';

/** Work that was leased by a pod that is gone waits for the end of its lease. */
const QUIET_LIMIT_MS = 180_000;

/** A look into the databases of the cluster, for as long as `look` takes. */
async function withDatabases<T>(cluster: Cluster, look: (databases: DatabaseView) => Promise<T>): Promise<T> {
  const tunnel = await cluster.tunnel('pod/postgres-0', 5432);
  const urlOf = (service: ServiceName) =>
    `postgres://fundrail:fundrail@127.0.0.1:${tunnel.port}/fundrail_${storedNameOf(service)}`;
  const pools = new Map(
    SERVICES.map((service) => [service, new pg.Pool({ connectionString: urlOf(service), max: 2 })] as const),
  );
  const rows: DatabaseView['rows'] = async <R>(service: string, text: string, values?: unknown[]) =>
    (await pools.get(service as (typeof SERVICES)[number])?.query(text, values))?.rows as R[];
  const everywhere: DatabaseView['everywhere'] = async <R>(text: string) =>
    (
      await Promise.all(
        SERVICES.map(async (service) => (await rows<R>(service, text)).map((row) => ({ ...row, service }))),
      )
    ).flat();
  try {
    return await look({ rows, everywhere });
  } finally {
    await Promise.all([...pools.values()].map((pool) => pool.end()));
    tunnel.close();
  }
}

/** What is in the books of others: the demo's orders, payments and mandates. */
export function booksSoFar(cluster: Cluster): Promise<BuyerView> {
  return withDatabases(cluster, async ({ rows }) => ({
    orders: new Set((await rows<{ id: string }>('orders', 'SELECT id FROM mf_orders')).map(({ id }) => id)),
    payments: new Set(
      (await rows<{ id: string }>('payments', 'SELECT id FROM payments')).map(({ id }) => Number(id)),
    ),
    mandates: new Set(
      (await rows<{ id: string }>('mandates', 'SELECT id FROM mandates')).map(({ id }) => Number(id)),
    ),
    client: { accepted: [] },
  }));
}

/** Waits until all is quiet, then compares every database, the books of the buyers and the webhooks that came. */
export async function nothingWasLost(
  cluster: Cluster,
  traffic: Traffic,
  others: BuyerView,
): Promise<{ events: number; webhooks: number }> {
  return withDatabases(cluster, async (databases) => {
    await untilQuiet(databases, QUIET_LIMIT_MS);
    const received = await waitFor(() => receivedBy(cluster, traffic.secret));
    const findings = await audit(databases, [others, ...traffic.buyers], { received });
    if (findings.length > 0)
      throw new NotSo(
        `${findings.length} findings: ${findings
          .slice(0, 10)
          .map(({ kind, what }) => `${kind}: ${what}`)
          .join('; ')}`,
      );
    const [{ count } = { count: 0 }, ...more] = await databases.everywhere<{ count: number }>(
      'SELECT count(*)::int AS count FROM outbox',
    );
    return { events: more.reduce((sum, row) => sum + row.count, count), webhooks: received.length };
  });
}
