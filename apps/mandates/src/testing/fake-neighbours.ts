import type { ServiceTransport, TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import { answered, bankAccountOf, keySet, noSuchObject } from '@fundrail/testing';
import { INVESTOR, STRANGER } from './mandate.builder.ts';

/** Fakes of identity and payments. Tenant `demo` has the bank accounts 7 and 9, and account 8 of another investor. */
export class FakeNeighbours implements ServiceTransport {
  /** The ids that payments was asked to resolve, for each call. */
  readonly asked: number[][] = [];
  /** Ids of existing payments. All others become void when asked about. */
  readonly payments = new Set<number>();
  /** Called once after the next answer of payments is prepared and before it arrives. */
  meanwhile: (() => Promise<void>) | null = null;
  /** Whether the other services are silent. */
  silent = false;

  async request(service: string, request: TransportRequest): Promise<TransportAnswer> {
    if (request.path === '/.well-known/jwks.json') return answered(keySet());
    if (this.silent) throw new Error(`${service} does not answer`);
    // The nightly reconciliation, which runs when the clock moves, is not a question of the sweep.
    if (request.path.startsWith('/internal/reconciliation/')) return noSuchObject();
    if (service === 'payments') return this.resolve(request.body ?? '');
    return this.account(new URL(request.path, 'http://identity'));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private account({ pathname, searchParams }: URL): TransportAnswer {
    const old_id = Number(pathname.split('/').at(-1));
    if (searchParams.get('tenant') !== 'demo' || ![7, 8, 9].includes(old_id)) return noSuchObject();
    return answered(bankAccountOf(old_id, old_id === 8 ? STRANGER : INVESTOR));
  }

  private async resolve(body: string): Promise<TransportAnswer> {
    const { payment_ids } = JSON.parse(body) as { payment_ids: number[] };
    this.asked.push(payment_ids);
    const results = payment_ids.map((payment_id) => ({
      payment_id,
      kind: this.payments.has(payment_id) ? 'payment' : 'void',
    }));
    const { meanwhile } = this;
    this.meanwhile = null;
    await meanwhile?.();
    return answered({ results });
  }
}
