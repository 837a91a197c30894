import { SERVICES } from '@fundrail/contracts';
import type { Cluster, Pod } from './cluster.ts';
import { NotSo } from './report.ts';

interface Job {
  readonly metadata: { readonly name: string };
  readonly status: { readonly succeeded?: number };
}

/**
 * The migration Job of every service succeeded, and no container of the service began before its init container had found the
 * schema and the topics complete, which only that Job makes. (The Job itself may end a few seconds later than what it makes is
 * there: it says goodbye to Kafka first.)
 */
export async function migrationsCameFirst(cluster: Cluster, tag: string): Promise<string> {
  const leads = await Promise.all(SERVICES.map((name) => leadOf(cluster, name, tag)));
  return `shortest lead of a Job over its service ${Math.min(...leads)} s`;
}

/** Seconds from the start of the Job to the first start of a service container. */
async function leadOf(cluster: Cluster, name: string, tag: string): Promise<number> {
  const text = await cluster.kubectl('-n', 'fundrail', 'get', `job/${name}-migrate-${tag}`, '-o', 'json');
  const { metadata, status } = JSON.parse(text) as Job;
  if (status.succeeded !== 1) throw new NotSo(`${metadata.name} has not succeeded`);
  const began = Math.min(...(await cluster.pods(`job-name=${metadata.name}`)).map(ownStart));
  const pods = await cluster.pods(`app.kubernetes.io/name=${name},app.kubernetes.io/component=service`);
  for (const pod of pods)
    if (!(ownStart(pod) >= checkedAt(pod))) throw new NotSo(`${pod.metadata.name} began before its check`);
  const lead = (Math.min(...pods.map(ownStart)) - began) / 1000;
  if (!(lead > 0)) throw new NotSo(`the Job of ${name} began ${-lead} s after the service`);
  return lead;
}

function ownStart({ status: { containerStatuses = [] } }: Pod): number {
  const times = containerStatuses.map(({ state: { running, terminated } }) =>
    Date.parse((running ?? terminated)?.startedAt ?? ''),
  );
  return Math.min(...times);
}

/** When the pod's init containers had all ended well; never, when they have not. */
function checkedAt({ status: { initContainerStatuses = [] } }: Pod): number {
  if (initContainerStatuses.length === 0) return Infinity;
  const ends = initContainerStatuses.map(({ state: { terminated } }) =>
    terminated?.exitCode === 0 ? Date.parse(terminated.finishedAt) : Infinity,
  );
  return Math.max(...ends);
}
