import type { WebhookReceiver } from '@fundrail/testing';
import { Webhook } from 'standardwebhooks';
import type { Cluster } from './cluster.ts';

type Received = WebhookReceiver['received'][number];

const ASK = 'fetch("http://127.0.0.1:8080").then(async (answer) => console.log(await answer.text()))';

/** Everything that came to the guest `audit` so far; signatures checked with the secret that creating the webhook answered. */
export async function receivedBy(cluster: Cluster, secret: string): Promise<Received[]> {
  const text = await cluster.kubectl('-n', 'fundrail', 'exec', 'audit', '--', 'node', '-e', ASK);
  const kept = JSON.parse(text) as { headers: Record<string, string>; raw: string }[];
  return kept.map(({ headers, raw }) => ({
    webhook_id: headers['webhook-id'] ?? '',
    verified: isSigned(secret, headers, raw),
    headers,
    raw,
    body: JSON.parse(raw) as Received['body'],
  }));
}

/** Computes the signature again and compares it: `verify` refuses webhooks older than five minutes, and most are. */
function isSigned(secret: string, headers: Record<string, string>, raw: string): boolean {
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
  const signature = new Webhook(secret).sign(headers['webhook-id'] ?? '', sentAt, raw);
  return headers['webhook-signature']?.split(' ').includes(signature) ?? false;
}
