import type { TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import { answered, bankAccountOf, FakeServices, noSuchObject } from '@fundrail/testing';
import { INVESTOR, STRANGER } from './mandate.builder.ts';

/** Fakes of identity and payments. Tenant `demo` has the bank accounts 7 and 9, account 8 of another investor. */
export class FakeNeighbours extends FakeServices {
  protected answer(request: TransportRequest, service: string): TransportAnswer | Promise<TransportAnswer> {
    // The nightly reconciliation, which runs when the clock moves, is not a question of the sweep.
    if (request.path.startsWith('/internal/reconciliation/')) return noSuchObject();
    if (service === 'payments') return this.resolved(request);
    const { pathname, searchParams } = new URL(request.path, 'http://identity');
    const old_id = Number(pathname.split('/').at(-1));
    if (searchParams.get('tenant') !== 'demo' || ![7, 8, 9].includes(old_id)) return noSuchObject();
    return answered(bankAccountOf(old_id, old_id === 8 ? STRANGER : INVESTOR));
  }
}
