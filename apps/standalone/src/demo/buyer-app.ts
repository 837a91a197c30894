import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { patientFetch } from './patient-fetch.ts';
import type { Transcript } from './transcript.ts';

/** The body of an answer; each step reads the fields that it needs. */
export type Answer = Readonly<Record<string, unknown>>;

/** How often the app asks whether a long move of the sandbox's clock has ended. */
const FOLLOW_EVERY_MS = 2_000;

/** A buyer app's client of the product: HTTP with a tenant's token. Each call is printed in one line. */
export class BuyerApp {
  private token = '';

  constructor(
    readonly baseUrl: string,
    private readonly transcript: Transcript,
  ) {}

  /** The host name by which the product reaches this machine for webhooks. Without one, the product runs on this machine. */
  async webhookHost(): Promise<string> {
    const response = await patientFetch(`${this.baseUrl}/sandbox/seed`, {});
    const { webhook_host: host } = await readAnswer(response, 'GET', '/sandbox/seed');
    return typeof host === 'string' ? host : 'localhost';
  }

  /** Gets a token with the client credentials that the sandbox seeds. */
  async signIn(tenant: string, clientId: string, clientSecret: string): Promise<void> {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const path = `/v2/auth/${tenant}/token`;
    const response = await patientFetch(`${this.baseUrl}${path}`, { method: 'POST', body: form });
    const body = await readAnswer(response, 'POST', path);
    this.token = String(body['access_token']);
    this.transcript.call('POST', path, response.status, `token for ${String(body['expires_in'])} s`);
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  post(path: string, body: object): Promise<Answer> {
    return this.call('POST', path, body);
  }

  /** Moves the sandbox's clock. Resolves when all work that fell due on the way is done, without a time limit. */
  async moveClock(body: { readonly advance: string } | { readonly now: string }): Promise<Answer> {
    let answer = await this.post('/sandbox/clock', body);
    while (answer['state'] === 'under_way') {
      await pause(FOLLOW_EVERY_MS);
      answer = await this.get(String(answer['follow']));
    }
    if (answer['reached'] === true) return answer;
    throw new Error(
      `the sandbox's clock did not reach ${String(answer['target'])}: ${String(answer['failure'])}`,
    );
  }

  /** A post that the product has to refuse. Returns the error; throws when it was accepted. */
  async refused(path: string, body: object): Promise<Answer> {
    const response = await this.send('POST', path, body);
    const { error } = (await response.json()) as { error?: Answer };
    if (response.ok || !error)
      throw new Error(`POST ${path} answered ${response.status}, and should have refused`);
    this.transcript.call('POST', path, response.status, String(error['code']));
    return error;
  }

  patch(path: string, body: object): Promise<Answer> {
    return this.call('PATCH', path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.call('DELETE', path);
  }

  private async call(method: string, path: string, body?: object): Promise<Answer> {
    const response = await this.send(method, path, body);
    const answer = await readAnswer(response, method, path);
    this.transcript.call(method, path, response.status, summary(answer));
    return answer;
  }

  private send(method: string, path: string, body?: object): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}` };
    const sent = {
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    };
    return patientFetch(`${this.baseUrl}${path}`, { method, ...(body ? sent : { headers }) });
  }
}

async function readAnswer(response: Response, method: string, path: string): Promise<Answer> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Answer;
}

/** An object in a few words: its id and its state. */
export function summary(object: Answer): string {
  // The clock has a state too, but its time is more useful.
  const state = object['now'] ?? object['state'] ?? object['status'] ?? object['mandate_status'];
  const reason = object['failure_code'];
  const parts = [object['id'], state, reason].filter((part) => part !== undefined && part !== null);
  return parts.map(String).join(' ');
}
