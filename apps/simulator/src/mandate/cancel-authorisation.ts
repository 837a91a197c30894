import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, known } from '../gatewaypoa/gateway-refusal.ts';
import { cancelPayment } from '../provider-payment/provider-payment.ts';
import { store } from '../store/simulator.tables.ts';
import { toAuthorisationObject } from './mandate.ts';

/** Withdraws the authorisation request, unless the investor has agreed. No callback: the caller learns the result from the response. */
@Injectable()
export class CancelAuthorisation {
  constructor(private readonly db: Database) {}

  execute(reference: string): Promise<gatewaypoaWire.AuthorisationObject> {
    return this.db.transaction(async (tx) => {
      const payment = known(await store.payments.lock(tx, { reference }), reference);
      const mandate = known(await store.mandates.find(tx, { reference }), reference);
      if (mandate.status === 'rejected') return toAuthorisationObject(payment, mandate);
      const cancelled = cancelPayment(payment);
      if (!cancelled) throw new GatewayRefusal(422, 'already_authorised', 'the investor has authorised it');
      if (cancelled !== payment) await store.payments.save(tx, cancelled);
      return toAuthorisationObject(cancelled, mandate);
    });
  }
}
