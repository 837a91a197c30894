import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, known } from '../gatewaypoa/gateway-refusal.ts';
import { store } from '../store/simulator.tables.ts';
import { cancelPayment, toPaymentObject } from './provider-payment.ts';

/** Withdraws a payment request, unless it was paid. No callback: the caller learns the result from the response. */
@Injectable()
export class CancelProviderPayment {
  constructor(private readonly db: Database) {}

  execute(reference: string): Promise<gatewaypoaWire.PaymentObject> {
    return this.db.transaction(async (tx) => {
      const row = known(await store.payments.lock(tx, { reference }), reference);
      const cancelled = cancelPayment(row);
      if (!cancelled) throw new GatewayRefusal(422, 'already_paid', 'the payment has been paid');
      if (cancelled !== row) await store.payments.save(tx, cancelled);
      return toPaymentObject(cancelled);
    });
  }
}
