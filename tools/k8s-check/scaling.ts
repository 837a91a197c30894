import { waitFor } from '@fundrail/testing';
import type { Cluster } from './cluster.ts';
import type { CountingClient } from './counting-client.ts';

const CALLERS = 12;
/** Metrics come every 15 s, and pods that have just started count for nothing for half a minute. */
const LIMIT_MS = 420_000;
const ASK = ['-n', 'fundrail', 'get', 'hpa/identity', '-o', 'json'] as const;

interface Scaler {
  readonly spec: { readonly minReplicas: number };
  readonly status: {
    readonly desiredReplicas?: number;
    readonly currentMetrics?: readonly {
      readonly resource?: { readonly current: { readonly averageUtilization?: number } };
    }[];
  };
}

/** Asks identity for what takes it a while until its HorizontalPodAutoscaler wants more replicas than at least. */
export async function scalesOnLoad(cluster: Cluster, client: CountingClient): Promise<string> {
  let isOn = true;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (isOn) await client.get('/v2/investor_profiles?limit=100').catch(() => null);
  });
  try {
    const seen = await waitFor(async () => grownTo(await scaler(cluster)), {
      limitMs: LIMIT_MS,
      everyMs: 2_000,
      what: 'the HorizontalPodAutoscaler of identity to want more replicas',
    });
    return `identity from ${seen.least} to ${seen.replicas} replicas at ${seen.percent} % of the cpu asked for`;
  } finally {
    isOn = false;
    await Promise.all(callers);
  }
}

async function scaler(cluster: Cluster): Promise<Scaler> {
  return JSON.parse(await cluster.kubectl(...ASK)) as Scaler;
}

function grownTo({ spec, status }: Scaler) {
  const percent = status.currentMetrics?.[0]?.resource?.current.averageUtilization;
  const { desiredReplicas: replicas = 0 } = status;
  return replicas > spec.minReplicas ? { least: spec.minReplicas, replicas, percent: percent ?? '?' } : null;
}
