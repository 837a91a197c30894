import { LocalServer } from '@fundrail/testing';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { forward, headersToPass, messageHeaders } from '../fleet/forward.ts';

/** A request as it went to an outside system. */
interface SentRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names and values, as they arrived. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** Stands in front of the simulated outside systems, and records every request to them. */
export class ProviderRecord extends LocalServer {
  readonly sent: SentRequest[] = [];
  /** The address of the systems; set once the product serves. */
  target = '';
  readonly #failing = new Set<string>();

  /** The next request to that path is answered with 500 and the request's body. */
  failOnce(path: string): void {
    this.#failing.add(path);
  }

  protected async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { method = '', url: path = '' } = request;
    this.sent.push({ method, path, headers: request.rawHeaders, body: body.toString() });
    if (this.#failing.delete(path)) {
      response.writeHead(500, { 'content-type': 'application/json' }).end(body);
      return;
    }
    const whole = { method, path, headers: headersToPass(request, body), body };
    const answer = await forward(this.target, whole, AbortSignal.timeout(30_000));
    response.writeHead(answer.statusCode ?? 502, messageHeaders(answer));
    answer.pipe(response);
  }
}
