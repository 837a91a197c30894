import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import type { Tx } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal } from '../gatewaypoa/gateway-refusal.ts';
import { TenantSettings } from '../hold/tenant-settings.ts';
import { collectAnswer, isKnownVpa } from './collect.ts';
import { isSamePayment, registerPayment, toPaymentObject } from './provider-payment.ts';
import { ANSWER_COLLECT, findPayment, insertPayment } from './provider-payment.repository.ts';

/**
 * Registers a payment under the operator's name, and answers its UPI URI or asks the payer's VPA for the money; the same
 * reference again is answered alike.
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
      throw new GatewayRefusal(422, 'invalid_upi_id', 'nobody has that VPA');
    const { settings } = await this.settings.of(request.tenant);
    return this.db.transaction(async (tx) => {
      const fresh = registerPayment(request, settings.operator_name, vpa, tx.now);
      if (await insertPayment(tx, fresh)) {
        await this.ask(tx, fresh);
        return toPaymentObject(fresh);
      }
      const known = await findPayment(tx, request.reference);
      if (!known || !isSamePayment(known, request, vpa))
        throw new GatewayRefusal(422, 'idempotency_mismatch', 'that reference belongs to another payment');
      return toPaymentObject(known);
    });
  }

  private async ask(tx: Tx, row: { reference: string; tenant: string; vpa: string | null }): Promise<void> {
    const answer = row.vpa === null ? null : collectAnswer(row.vpa);
    if (!answer) return;
    const due_at = new Date(tx.now.getTime() + answer.afterMs);
    await scheduleDue(tx, { kind: ANSWER_COLLECT, key: row.reference, tenant: row.tenant, due_at });
  }
}
