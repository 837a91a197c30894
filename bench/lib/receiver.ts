import { serve, type Served } from './served.ts';

/** How long `/slow` takes to answer: nearly the time-out of a webhook (HOOK-16). */
const SLOW_MS = 14_000;

/** A client's endpoint that records the first arrival of each event. It answers immediately, or under `/slow` after 14 s. */
export interface Receiver extends Served {
  /** Wall milliseconds of the first arrival by the event's id, in the order of arrival. */
  readonly arrivals: ReadonlyMap<string, number>;
}

export async function startReceiver(): Promise<Receiver> {
  const arrivals = new Map<string, number>();
  const served = await serve((request, response) => {
    const id = String(request.headers['webhook-id']);
    if (!arrivals.has(id)) arrivals.set(id, wallNow());
    const answer = () => response.writeHead(200).end();
    request.resume().once('end', () => (request.url === '/slow' ? setTimeout(answer, SLOW_MS) : answer()));
  });
  return { ...served, url: `${served.url}/hooks`, arrivals };
}

/** Wall milliseconds with fractions. */
export function wallNow(): number {
  return performance.timeOrigin + performance.now();
}
