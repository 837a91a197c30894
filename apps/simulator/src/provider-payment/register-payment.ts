import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, mustBeSame } from '../gatewaypoa/gateway-refusal.ts';
import { TenantSettings } from '../hold/tenant-settings.ts';
import { store } from '../store/simulator.tables.ts';
import { askPayer } from './ask-payer.ts';
import { isKnownVpa } from './collect.ts';
import { isSamePayment, registerPayment, toPaymentObject } from './provider-payment.ts';

/**
 * Registers a payment in the operator's name, and returns its UPI URI or sends a collect request to the payer's VPA. A repeated reference
 * gets the same response.
 */
@Injectable()
export class RegisterPayment {
  constructor(
    private readonly db: Database,
    private readonly settings: TenantSettings,
  ) {}

  async execute(
    request: gatewaypoaWire.PaymentRequest,
    vpa: string | null = null,
  ): Promise<gatewaypoaWire.PaymentObject> {
    if (vpa !== null && !isKnownVpa(vpa))
      throw new GatewayRefusal(422, 'invalid_upi_id', 'the VPA does not exist');
    const { settings } = await this.settings.of(request.tenant);
    return this.db.transaction(async (tx) => {
      const fresh = registerPayment(request, request.payee_name ?? settings.operator_name, vpa, tx.now);
      if (await store.payments.insertOnce(tx, fresh)) {
        await askPayer(tx, fresh);
        return toPaymentObject(fresh);
      }
      const known = await store.payments.find(tx, { reference: request.reference });
      const isSame = known !== null && isSamePayment(known, request, vpa);
      mustBeSame(isSame, 'reference belongs to another payment');
      return toPaymentObject(known);
    });
  }
}
