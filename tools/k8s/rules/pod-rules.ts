import { nameOf, type Manifests } from '../manifests.ts';
import type { Container, PodSpec } from '../objects.ts';
import { COMPONENT, type Rule } from './rule.ts';

/** Images that write where their programs are, and so cannot have a read-only root. */
const WRITES_TO_ITS_ROOT = ['apache/kafka'];
/** A service stops within 9 s (OPS-4), and what is left of a second is the kubelet's. */
const LONGEST_STOP_S = 10;

const isService = ({ labels }: { labels: Readonly<Record<string, string>> }) =>
  labels[COMPONENT] === 'service';

function unconfined(spec: PodSpec): string[] {
  const { runAsNonRoot, runAsUser = 0, seccompProfile } = spec.securityContext ?? {};
  return [
    runAsNonRoot && runAsUser > 0 ? '' : 'may run as root',
    seccompProfile?.type === 'RuntimeDefault' ? '' : 'has no seccomp profile',
    spec.automountServiceAccountToken === false ? '' : "gets a token of Kubernetes' API",
    spec.enableServiceLinks === false ? '' : 'gets variables of every Service, KAFKA_… among them',
    spec.serviceAccountName ? '' : 'has no service account of its own',
  ].filter(Boolean);
}

function unlocked({ image, securityContext = {} }: Container): string[] {
  const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = securityContext;
  const mayWrite = WRITES_TO_ITS_ROOT.some((name) => image.startsWith(`${name}:`));
  return [
    allowPrivilegeEscalation === false ? '' : 'may gain privileges',
    readOnlyRootFilesystem === true || mayWrite ? '' : 'may write to its root file system',
    capabilities?.drop?.includes('ALL') && !capabilities.add ? '' : 'has capabilities',
  ].filter(Boolean);
}

function probesMissing({ startupProbe, readinessProbe, livenessProbe }: Container): string[] {
  const probes = { startupProbe, readinessProbe, livenessProbe };
  return Object.entries(probes).flatMap(([name, probe]) => (probe ? [] : [`has no ${name}`]));
}

/** The probes of services ask the ops port, and readiness and liveness differ. */
function probesMisplaced({ startupProbe, readinessProbe, livenessProbe }: Container): string[] {
  const asked = [startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet);
  const paths = ['/health/live', '/health/ready', '/health/live'];
  return asked.flatMap((get, index) =>
    get?.port === 'ops' && get.path === paths[index] ? [] : [`does not ask ops for ${paths[index] ?? ''}`],
  );
}

function longestDrain(overlay: Manifests): number {
  const environment = overlay
    .ofKind('ConfigMap')
    .find(({ metadata }) => metadata.name.startsWith('environment-'));
  return Number(environment?.data?.['DRAIN_DELAY_MS'] ?? 0) / 1000;
}

/** What holds for every pod. */
export const POD_RULES: readonly Rule[] = [
  {
    says: 'pods are confined, as the namespace asks, and more',
    breaches: ({ overlay, guests }) =>
      [...overlay.pods, ...guests.pods].flatMap(({ workload, spec }) =>
        unconfined(spec).map((what) => `${nameOf(workload)} ${what}`),
      ),
  },
  {
    says: 'the files of a volume are given to a group once: PostgreSQL refuses a folder that a later mount opens to it',
    breaches: ({ overlay }) =>
      overlay.pods.flatMap(
        ({ workload, spec: { securityContext: { fsGroup, fsGroupChangePolicy } = {} } }) =>
          fsGroup === undefined || fsGroupChangePolicy === 'OnRootMismatch'
            ? []
            : [`${nameOf(workload)} changes its files at every mount`],
      ),
  },
  {
    says: 'containers are confined',
    breaches: ({ overlay, guests }) =>
      [...overlay.containers, ...guests.containers].flatMap(({ at, container }) =>
        unlocked(container).map((what) => `${at} ${what}`),
      ),
  },
  {
    says: 'what serves has a startup, a readiness and a liveness probe',
    breaches: ({ overlay }) =>
      overlay.pods
        .filter(({ workload }) => workload.kind !== 'Job')
        .flatMap(({ workload, spec }) =>
          spec.containers.flatMap((container) =>
            probesMissing(container).map((what) => `${nameOf(workload)} ${what}`),
          ),
        ),
  },
  {
    says: 'services are asked on their ops port',
    breaches: ({ overlay }) =>
      overlay.pods
        .filter(isService)
        .flatMap(({ workload, spec }) =>
          spec.containers.flatMap((container) =>
            probesMisplaced(container).map((what) => `${nameOf(workload)} ${what}`),
          ),
        ),
  },
  {
    says: 'containers ask for cpu and memory, and have a limit of memory',
    breaches: ({ overlay }) =>
      overlay.containers
        .filter(({ container: { resources } }) => {
          const { cpu, memory } = resources?.requests ?? {};
          return !cpu || !memory || !resources?.limits?.['memory'];
        })
        .map(({ at }) => at),
  },
  {
    says: 'a pod that goes is taken off the Services first, and has the time to finish',
    breaches: ({ overlay }) =>
      overlay.ofKind('Deployment').flatMap((deployment) => {
        const { containers, terminationGracePeriodSeconds = 30 } = deployment.spec.template.spec;
        return containers.flatMap(({ lifecycle }) => {
          const sleep = lifecycle?.preStop?.sleep?.seconds ?? 0;
          if (sleep < 1) return [`${nameOf(deployment)} has no preStop`];
          const needed = sleep + longestDrain(overlay) + LONGEST_STOP_S;
          return terminationGracePeriodSeconds >= needed ? [] : [`${nameOf(deployment)} needs ${needed} s`];
        });
      }),
  },
  {
    says: 'an update takes no replica away before its successor is ready',
    breaches: ({ overlay }) =>
      overlay
        .ofKind('Deployment')
        .filter(({ spec }) => spec.strategy?.rollingUpdate?.maxUnavailable !== 0)
        .map(nameOf),
  },
];
