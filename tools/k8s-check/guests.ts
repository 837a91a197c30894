// Pods beside the product's: a buyer app that stores the webhooks it receives, and pods that may not connect to anything.
import type { Cluster } from './cluster.ts';

/** Answers every POST with 204, stores it, and returns all on GET. Plain JavaScript: our images have only node. */
const RECEIVER = `
const { createServer } = require('node:http');
const kept = [];
createServer((request, response) => {
  if (request.method === 'GET') return response.end(JSON.stringify(kept));
  let raw = '';
  request.setEncoding('utf8').on('data', (part) => (raw += part)).on('end', () => {
    kept.push({ headers: request.headers, raw });
    response.writeHead(204).end();
  });
}).listen(8080);
process.on('SIGTERM', () => process.exit());`;

interface Guest {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly hostname?: string;
}

const WAITS = ['node', '-e', 'process.on("SIGTERM", () => process.exit()); setInterval(() => {}, 1e9)'];
/** The namespace of `elsewhere`; ours, so that it can be removed. */
export const ELSEWHERE = 'fundrail-check';

const GUESTS: readonly Guest[] = [
  {
    name: 'audit',
    namespace: 'fundrail',
    labels: { 'app.kubernetes.io/component': 'buyer', 'app.kubernetes.io/name': 'audit' },
    command: ['node', '-e', RECEIVER],
    hostname: 'audit',
  },
  {
    name: 'migration',
    namespace: 'fundrail',
    labels: { 'app.kubernetes.io/component': 'migration', 'app.kubernetes.io/name': 'guest' },
    command: WAITS,
  },
  { name: 'stranger', namespace: 'fundrail', labels: {}, command: WAITS },
  { name: 'elsewhere', namespace: ELSEWHERE, labels: {}, command: WAITS },
];

/** Webhooks for `audit`: a name of SANDBOX_WEBHOOK_HOSTS in overlays/local. */
export const RECEIVER_URL = 'http://audit.buyer:8080/hooks';

/** Starts them, with an image of ours. */
export async function startGuests(cluster: Cluster, image: string): Promise<void> {
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: ELSEWHERE } });
  for (const guest of GUESTS) await cluster.apply(podOf(guest, image));
  for (const { name, namespace } of GUESTS)
    await cluster.kubectl('-n', namespace, 'wait', '--for=condition=Ready', `pod/${name}`, '--timeout=300s');
}

function podOf({ name, namespace, labels, command, hostname }: Guest, image: string): object {
  const confined = {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels },
    spec: {
      ...(hostname && { hostname, subdomain: 'buyer' }),
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 5,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [{ name: 'guest', image, command, securityContext: confined }],
    },
  };
}
