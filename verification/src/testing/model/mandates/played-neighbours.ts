import {
  admitDebit,
  admitDebits,
  debitResult,
  debitResults,
  parseJson,
  type ServiceName,
} from '@fundrail/contracts';
import type { RunningService } from '@fundrail/service-kit';
import type { ServiceTransport, TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import { inject } from '@fundrail/testing';
import type { MandatesWorld } from './mandates-world.ts';
import { PlayedIdentity } from './played-identity.ts';

/** What fails between two services: the call is not executed, or its answer is lost. */
type Trouble = 'silent' | 'lost';

/** The transport between the services under test, to each of their replicas in turn. It records admissions, and fails on request. */
export class PlayedNeighbours implements ServiceTransport {
  readonly identity = new PlayedIdentity();
  /** The next calls of this path that fail in this way. */
  private trouble: { readonly path: RegExp; readonly kind: Trouble; left: number } | null = null;
  /** When a call last failed. */
  troubledAt = new Date(0);
  private turn = 0;

  constructor(
    private readonly replicas: (service: ServiceName) => readonly RunningService[],
    private readonly world: MandatesWorld,
  ) {}

  makeTrouble(path: RegExp, kind: Trouble, times: number): void {
    this.trouble = { path, kind, left: times };
  }

  get isTroubled(): boolean {
    return this.trouble !== null;
  }

  endTrouble(): void {
    this.trouble = null;
  }

  async request(service: ServiceName, request: TransportRequest): Promise<TransportAnswer> {
    if (service === 'identity') return this.identity.answer(request.path);
    const trouble = this.troubleOf(request.path);
    if (trouble === 'silent') throw new Error(`${service} does not answer`);
    const answer = await this.handOver(service, request);
    const isReceived = trouble !== 'lost';
    if (answer.status === 200) this.listen(request, answer);
    if (!isReceived) throw new Error(`the answer of ${service} is lost`);
    return answer;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private troubleOf(path: string): Trouble | null {
    const { trouble } = this;
    if (!trouble?.path.test(path)) return null;
    trouble.left -= 1;
    this.troubledAt = this.world.now;
    if (trouble.left === 0) this.trouble = null;
    return trouble.kind;
  }

  private async handOver(service: ServiceName, request: TransportRequest): Promise<TransportAnswer> {
    const all = this.replicas(service);
    const replica = all[(this.turn += 1) % all.length];
    if (!replica) throw new Error(`${service} does not run`);
    const { method, path: url, headers, body: raw } = request;
    const { status, text } = await inject(replica, { method, url, headers, raw });
    return { status, body: text };
  }

  private listen({ path, body = '' }: TransportRequest, answer: TransportAnswer): void {
    const admissions = '/internal/mandates/debits';
    if (path !== admissions && path !== `${admissions}/batch`) return;
    const isOne = path === admissions;
    const [asked, answered] = [parseJson(body), parseJson(answer.body)];
    const debits = isOne ? [admitDebit.parse(asked)] : admitDebits.parse(asked).debits;
    const results = isOne ? [debitResult.parse(answered)] : debitResults.parse(answered).results;
    for (const [index, { payment_id }] of debits.entries())
      if (results[index]?.outcome === 'admitted') this.world.admissions.set(payment_id, this.world.now);
  }
}
