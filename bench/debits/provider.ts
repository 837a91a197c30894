import type { IncomingMessage } from 'node:http';
import { serve, type Served } from '../lib/served.ts';

/** A provider that accepts every debit immediately and reports no results yet. */
export interface InstantProvider extends Served {
  /** When each execution arrived, milliseconds of `performance.now()`. */
  readonly arrivals: readonly number[];
  /** Attempts that were sent more than once. */
  readonly repeated: number;
  /** The number of status requests. */
  readonly questions: number;
  /** Resets the counts. */
  reset(): void;
}

export async function startInstantProvider(): Promise<InstantProvider> {
  let arrivals: number[] = [];
  let questions = 0;
  let known = new Set<string>();
  const served = await serve(
    (request, response) => {
      void answerOf(request).then((text) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(text);
      });
    },
    // Callers may keep their connections, as with real providers.
    { keepAliveTimeout: 60_000 },
  );

  async function answerOf(request: IncomingMessage): Promise<string> {
    const reference = request.url?.split('/').at(-1) ?? '';
    if (request.method === 'GET') {
      questions += 1;
      return processing(reference);
    }
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
    arrivals.push(performance.now());
    const sent = (JSON.parse(text) as { reference: string }).reference;
    known.add(sent);
    return processing(sent);
  }

  return {
    ...served,
    get arrivals() {
      return arrivals;
    },
    get repeated() {
      return arrivals.length - known.size;
    },
    get questions() {
      return questions;
    },
    reset: () => {
      [arrivals, questions, known] = [[], 0, new Set()];
    },
  };
}

function processing(reference: string): string {
  const payment_reference = reference.replace(/A\d$/, '');
  return JSON.stringify({ reference, payment_reference, status: 'processing' });
}
