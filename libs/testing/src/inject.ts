import { stringifyJson } from '@fundrail/contracts';
import type { RunningService } from '@fundrail/service-kit';
import type { OutgoingHttpHeaders } from 'node:http';

/** A request to a service, without a socket. */
interface InjectedRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `URLSearchParams` are sent as a form, and all else as JSON. */
  readonly body?: unknown;
  /** Sent as it is, when there is no `body`. */
  readonly raw?: string | undefined;
}

/** Its answer. `json` parses the text, and does not check the type. */
export interface InjectedAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
  readonly text: string;
  readonly json: <T>() => T;
}

/** Sends the request to the service itself. The given headers come after those of the body. */
export async function inject(
  { fastify }: Pick<RunningService, 'fastify'>,
  { method, url, headers, body, raw }: InjectedRequest,
): Promise<InjectedAnswer> {
  const coded = body === undefined ? null : encoded(body);
  const payload = coded?.payload ?? raw;
  const answer = await fastify.inject({
    method,
    url,
    headers: { ...(coded && { 'content-type': coded.type }), ...headers },
    ...(payload !== undefined && { payload }),
  });
  const { statusCode: status, payload: text, cookies } = answer;
  return { status, headers: answer.headers, cookies, text, json: () => answer.json() };
}

function encoded(body: unknown): { readonly type: string; readonly payload: string } {
  return body instanceof URLSearchParams
    ? { type: 'application/x-www-form-urlencoded', payload: body.toString() }
    : { type: 'application/json', payload: stringifyJson(body) };
}
