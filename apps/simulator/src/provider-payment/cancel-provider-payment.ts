import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, notKnownHere } from '../gatewaypoa/gateway-refusal.ts';
import { cancelPayment, toPaymentObject } from './provider-payment.ts';
import { lockPayment, updatePayment } from './provider-payment.repository.ts';

/** Withdraws a payment request, unless it was paid. No callback: the caller learns the result from the response. */
@Injectable()
export class CancelProviderPayment {
  constructor(private readonly db: Database) {}

  execute(reference: string): Promise<gatewaypoaWire.PaymentObject> {
    return this.db.transaction(async (tx) => {
      const row = await lockPayment(tx, reference);
      if (!row) throw notKnownHere(reference);
      const cancelled = cancelPayment(row);
      if (!cancelled) throw new GatewayRefusal(422, 'already_paid', 'the payment has been paid');
      if (cancelled !== row) await updatePayment(tx, cancelled);
      return toPaymentObject(cancelled);
    });
  }
}
