import type { IncomingMessage } from 'node:http';
import { serve, type Served } from '../lib/served.ts';

/** An order gateway that answers immediately, or accepts each call and never answers. */
export interface MoodyGateway extends Served {
  /** Calls since the start. */
  readonly calls: number;
  hang(doesHang: boolean): void;
}

/** Refuses every order, so that no further request about it follows. */
export async function startMoodyGateway(): Promise<MoodyGateway> {
  let [calls, hangs] = [0, false];
  const served = await serve(
    (request, response) => {
      calls += 1;
      if (hangs) return;
      void referenceOf(request).then((reference) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(refused(reference));
      });
    },
    { keepAliveTimeout: 60_000 },
  );
  return {
    ...served,
    get calls() {
      return calls;
    },
    hang: (doesHang) => {
      hangs = doesHang;
    },
  };
}

async function referenceOf(request: IncomingMessage): Promise<string> {
  if (request.method === 'GET') return decodeURIComponent(request.url?.split('/').at(-1) ?? '');
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += String(part);
  return (JSON.parse(text) as { reference: string }).reference;
}

function refused(reference: string): string {
  return JSON.stringify({
    reference,
    review: { status: 'rejected', failure_code: 'order_failed_at_gateway' },
    submission: { status: 'none' },
    outcome: { status: 'processing' },
  });
}
