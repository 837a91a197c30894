import {
  admitDebit,
  debitResult,
  parseJson,
  permitResult,
  permitsAnswer,
  takePermit,
  takePermits,
} from '@fundrail/contracts';
import type { ServiceName, TakePermit } from '@fundrail/contracts';
import type { RunningService } from '@fundrail/service-kit';
import type { ServiceTransport, TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import type { MandatesWorld } from './mandates-world.ts';
import { PlayedIdentity } from './played-identity.ts';

const PERMITS = /\/mandates\/permits(\/batch)?$/;

/** What fails between two services: the call is not executed, or its answer is lost. */
type Trouble = 'silent' | 'lost';

/** The transport between the services under test, to each of their replicas in turn. It records permits, and fails on request. */
export class PlayedNeighbours implements ServiceTransport {
  readonly identity = new PlayedIdentity();
  /** The next calls of this path that fail in this way. */
  private trouble: { readonly path: RegExp; readonly kind: Trouble; left: number } | null = null;
  /** When a call last failed. */
  troubledAt = new Date(0);
  /** Runs once: before mandates decides about a permit for payments, or between a permit and its call. */
  meeting: { readonly when: 'before' | 'after'; readonly act: () => Promise<void> } | null = null;
  private turn = 0;

  constructor(
    private readonly replicas: (service: ServiceName) => readonly RunningService[],
    private readonly world: MandatesWorld,
  ) {}

  makeTrouble(path: RegExp, kind: Trouble, times: number): void {
    this.trouble = { path, kind, left: times };
  }

  get isTroubled(): boolean {
    return this.trouble !== null || this.meeting !== null;
  }

  endTrouble(): void {
    this.trouble = null;
    this.meeting = null;
  }

  async request(service: ServiceName, request: TransportRequest): Promise<TransportAnswer> {
    if (service === 'identity') return this.identity.answer(request.path);
    const trouble = this.troubleOf(request.path);
    if (trouble === 'silent') throw new Error(`${service} does not answer`);
    if (PERMITS.test(request.path)) await this.meet('before');
    const answer = await this.handOver(service, request);
    const isReceived = trouble !== 'lost';
    if (answer.status === 200) await this.listen(request, answer, isReceived);
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
    const answer = await replica.fastify.inject({
      method: request.method,
      url: request.path,
      headers: { ...request.headers },
      ...(request.body === undefined ? {} : { payload: request.body }),
    });
    return { status: answer.statusCode, body: answer.body };
  }

  private async listen(
    { path, body = '' }: TransportRequest,
    answer: TransportAnswer,
    isReceived: boolean,
  ): Promise<void> {
    if (path === '/internal/mandates/debits') {
      const { payment_id } = admitDebit.parse(parseJson(body));
      const isAdmitted = debitResult.parse(parseJson(answer.body)).outcome === 'admitted';
      if (isAdmitted) this.world.admissions.set(payment_id, this.world.now);
    }
    const granted = grantedIn(path, body, answer.body);
    for (const permit of granted) this.world.checkGranted(permit, isReceived);
    if (granted.length > 0 && isReceived) await this.meet('after');
  }

  private async meet(when: 'before' | 'after'): Promise<void> {
    const { meeting } = this;
    if (meeting?.when !== when) return;
    this.meeting = null;
    await meeting.act();
  }
}

/** The permits that this answer grants, requested one by one or together. */
function grantedIn(path: string, body: string, answer: string): readonly TakePermit[] {
  if (path === '/internal/mandates/permits') {
    const { outcome } = permitResult.parse(parseJson(answer));
    return outcome === 'granted' ? [takePermit.parse(parseJson(body))] : [];
  }
  if (path !== '/internal/mandates/permits/batch') return [];
  const { results } = permitsAnswer.parse(parseJson(answer));
  const { permits } = takePermits.parse(parseJson(body));
  return permits.filter((_, index) => results[index]?.outcome === 'granted');
}
