import { SIGNATURE_HEADER, signCallback } from '@fundrail/providers';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { wallNow } from '../lib/receiver.ts';
import { serve, type Served } from '../lib/served.ts';
import type { Endpoint } from './endpoint.ts';
import type { Front } from './front.ts';
import { Gateway, type Report } from './gateway.ts';

const PREFIX = '/gatewaypoa';

/** What the services need to know of the gateway. */
export const GATEWAY_SECRETS = {
  GATEWAYPOA_API_KEY: randomBytes(32).toString('hex'),
  GATEWAYPOA_WEBHOOK_SECRET: randomBytes(32).toString('hex'),
};

/** The world around the product, in this process: the gateway and the clients' endpoint, below `/hooks/`. */
export interface Outside extends Served {
  readonly gateway: Gateway;
  /** Where callbacks go. */
  reportTo(front: Front): void;
}

/** A callback that the product refuses ends every wait for a webhook. */
export async function startOutside(endpoint: Endpoint): Promise<Outside> {
  let front: Front | null = null;
  let events = 0;
  const report = async ({ topic, ...facts }: Report) => {
    const body = JSON.stringify({ event_id: `cb_${(events += 1)}`, ...facts });
    const signature = signCallback(GATEWAY_SECRETS.GATEWAYPOA_WEBHOOK_SECRET, body, new Date());
    try {
      await front?.send('POST', `/callbacks/gatewaypoa/${topic}`, { [SIGNATURE_HEADER]: signature }, body);
    } catch (error) {
      endpoint.fail(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const gateway = new Gateway(report);
  const answer = ({ method = '', url = '', headers }: IncomingMessage, body: string): [number, string] => {
    if (url.startsWith('/hooks/')) return [endpoint.take(url, headers, body, wallNow()), ''];
    if (headers.authorization !== `Bearer ${GATEWAY_SECRETS.GATEWAYPOA_API_KEY}`)
      return [401, '{"code":"unauthorized","message":"the API key is not valid"}'];
    const found = gateway.answer(method, url.slice(PREFIX.length), body);
    return found ? [200, JSON.stringify(found)] : [404, '{"code":"not_found","message":"unknown"}'];
  };
  const served = await serve(
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        const [status, text] = answer(request, Buffer.concat(chunks).toString());
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      });
    },
    { keepAliveTimeout: 60_000 },
  );
  const watch = setInterval(() => endpoint.giveUpAfterSilence(wallNow()), 1_000);
  return {
    ...served,
    gateway,
    reportTo: (product) => (front = product),
    [Symbol.asyncDispose]: async () => {
      clearInterval(watch);
      await served[Symbol.asyncDispose]();
    },
  };
}
