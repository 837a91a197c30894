import { SERVICES } from '@fundrail/contracts';
import type { Cluster } from './cluster.ts';
import { NotSo } from './report.ts';

interface Job {
  readonly metadata: { readonly name: string };
  readonly status: { readonly completionTime?: string; readonly succeeded?: number };
}

/** Each migration Job succeeded before the init container of any pod let its service start. */
export async function migrationsCameFirst(cluster: Cluster, tag: string): Promise<string> {
  const leads = await Promise.all(SERVICES.map((name) => leadOf(cluster, name, tag)));
  return `shortest lead of a Job over its service ${Math.min(...leads)} s`;
}

/** Seconds from the end of the Job to the first start of a service container. */
async function leadOf(cluster: Cluster, name: string, tag: string): Promise<number> {
  const text = await cluster.kubectl('-n', 'fundrail', 'get', `job/${name}-migrate-${tag}`, '-o', 'json');
  const { metadata, status } = JSON.parse(text) as Job;
  if (status.succeeded !== 1 || !status.completionTime) throw new NotSo(`${metadata.name} has not succeeded`);
  const ended = Date.parse(status.completionTime);
  const pods = await cluster.pods(`app.kubernetes.io/name=${name},app.kubernetes.io/component=service`);
  const starts = pods.flatMap(({ status: { containerStatuses = [] } }) =>
    containerStatuses.map(({ state }) => Date.parse(state.running?.startedAt ?? '')),
  );
  const first = Math.min(...starts);
  if (!(first >= ended)) throw new NotSo(`${name} started at ${first}, its migration ended at ${ended}`);
  return (first - ended) / 1000;
}
