import { randomBytes } from 'node:crypto';
import type { Cluster } from './cluster.ts';
import { rolledOut } from './product.ts';
import { NotSo } from './report.ts';

const DEPLOYMENT = 'deployment/identity';
const KEY = 'DATA_ENCRYPTION_KEY';
const PODS = 'app.kubernetes.io/name=identity,app.kubernetes.io/component=service';
const SECRET_NAME = `{.spec.template.spec.containers[?(@.name=="service")].env[?(@.name=="${KEY}")].valueFrom.secretKeyRef.name}`;

/**
 * Changes identity's encryption key by the steps of docs/operations/encryption-keys.md, "Exchange a key". Before that it tries to rotate to
 * a key that no replica has. Returns the command's last line.
 */
export async function exchangeKey(cluster: Cluster): Promise<string> {
  const secret = await cluster.kubectl('-n', 'fundrail', 'get', DEPLOYMENT, '-o', `jsonpath=${SECRET_NAME}`);
  const stored = await cluster.kubectl(
    '-n',
    'fundrail',
    'get',
    `secret/${secret}`,
    '-o',
    `jsonpath={.data.${KEY}}`,
  );
  const [old, fresh] = [Buffer.from(stored, 'base64').toString(), randomBytes(24).toString('hex')];
  await refusedTooEarly(cluster, `${fresh},${old}`);
  await setKeys(cluster, secret, `${old},${fresh}`);
  await setKeys(cluster, secret, `${fresh},${old}`);
  const said = await keys(cluster, 'node', 'main.js', 'keys', 'rotate');
  await setKeys(cluster, secret, fresh);
  await keys(cluster, 'node', 'main.js', 'keys', 'status');
  return said.trim().split('\n').at(-1) ?? '';
}

/** The command sees the replicas by their connections, in any pod. */
async function refusedTooEarly(cluster: Cluster, list: string): Promise<void> {
  const tried = keys(cluster, 'env', `${KEY}=${list}`, 'node', 'main.js', 'keys', 'rotate');
  const refusal = await tried.then(
    () => 'encrypted under a key that no replica has',
    (error: unknown) => String(error),
  );
  if (!refusal.includes('a replica runs without the key')) throw new NotSo(refusal);
}

/** Replicas that a roll-out has replaced go on for a while with the keys that they have. */
async function setKeys(cluster: Cluster, secret: string, list: string): Promise<void> {
  const replaced = await cluster.pods(PODS);
  const patch = JSON.stringify({ stringData: { [KEY]: list } });
  await cluster.kubectl('-n', 'fundrail', 'patch', `secret/${secret}`, '--type=merge', '-p', patch);
  await cluster.kubectl('-n', 'fundrail', 'rollout', 'restart', DEPLOYMENT);
  await rolledOut(cluster, DEPLOYMENT);
  const names = replaced.map(({ metadata }) => `pod/${metadata.name}`);
  await cluster.kubectl('-n', 'fundrail', 'wait', '--for=delete', '--timeout=120s', ...names);
}

function keys(cluster: Cluster, ...command: string[]): Promise<string> {
  return cluster.kubectl('-n', 'fundrail', 'exec', DEPLOYMENT, '-c', 'service', '--', ...command);
}
