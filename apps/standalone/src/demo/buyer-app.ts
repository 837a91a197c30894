import { randomUUID } from 'node:crypto';
import { patientFetch } from './patient-fetch.ts';
import type { Transcript } from './transcript.ts';

/** Whatever an answer holds; each step reads the fields it needs. */
export type Answer = Readonly<Record<string, unknown>>;

/** A buyer app's way to the product: HTTP with a tenant's token, each call told in one line. */
export class BuyerApp {
  private token = '';

  constructor(
    readonly baseUrl: string,
    private readonly transcript: Transcript,
  ) {}

  /** The name by which the product reaches this machine: webhooks go there. A product that does not tell is on it. */
  async webhookHost(): Promise<string> {
    const response = await patientFetch(`${this.baseUrl}/sandbox/seed`, {});
    const { webhook_host: host } = await readAnswer(response, 'GET', '/sandbox/seed');
    return typeof host === 'string' ? host : 'localhost';
  }

  /** Takes a token by the client credentials that the sandbox seeds. */
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

  /** A post that the product has to refuse. Answers the error; throws when it was taken. */
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

/** An object in a few words: which, and in what state. */
export function summary(object: Answer): string {
  const state = object['state'] ?? object['status'] ?? object['mandate_status'] ?? object['now'];
  const reason = object['failure_code'];
  const parts = [object['id'], state, reason].filter((part) => part !== undefined && part !== null);
  return parts.map(String).join(' ');
}
