import { Decimal } from '@fundrail/contracts';
import { mandateUri, type gatewaypoaWire, type MandateUriCodes } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal } from '../gatewaypoa/gateway-refusal.ts';
import { TenantSettings } from '../hold/tenant-settings.ts';
import { askPayer } from '../provider-payment/ask-payer.ts';
import { isKnownVpa } from '../provider-payment/collect.ts';
import { awaitPayer, type ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { MERCHANT_CATEGORY, PAYEE_VPA } from '../provider-payment/upi-uri.ts';
import { store } from '../store/simulator.tables.ts';
import { toAuthorisationObject, type MandateRow } from './mandate.ts';

type Request = gatewaypoaWire.AuthorisationRequest;

/** Asks the investor to authorise a mandate, by a URI or at a VPA. A repeated reference gets the same response. */
@Injectable()
export class RegisterAuthorisation {
  constructor(
    private readonly db: Database,
    private readonly settings: TenantSettings,
  ) {}

  async execute(request: Request, vpa: string | null = null): Promise<gatewaypoaWire.AuthorisationObject> {
    if (request.mandate_type !== 'UPI')
      throw new GatewayRefusal(422, 'bank_not_enabled', 'an e-mandate is authorised on a page of its bank');
    if (vpa !== null && !isKnownVpa(vpa))
      throw new GatewayRefusal(422, 'invalid_upi_id', 'the VPA does not exist');
    const { settings } = await this.settings.of(request.tenant);
    return this.db.transaction(async (tx) => {
      const { payment, mandate } = registered(
        request,
        request.payee_name ?? settings.operator_name,
        vpa,
        tx.now,
      );
      if (await store.payments.insertOnce(tx, payment)) {
        await store.mandates.insert(tx, mandate);
        await askPayer(tx, payment);
        return toAuthorisationObject(payment, mandate);
      }
      const before = await store.payments.find(tx, { reference: request.reference });
      const known = before && (await store.mandates.find(tx, { reference: request.reference }));
      if (!known || !isSame(before, known, payment, mandate))
        throw new GatewayRefusal(422, 'idempotency_mismatch', 'that reference belongs to something else');
      return toAuthorisationObject(before, known);
    });
  }
}

function registered(
  request: Request,
  payee_name: string,
  vpa: string | null,
  now: Date,
): { payment: ProviderPaymentRow; mandate: MandateRow } {
  const { reference, payment_id, mandate_id, tenant, mandate_type, valid_from, valid_to } = request;
  const max_amount = Decimal.ofPaise(request.limit_paise);
  const mandate: MandateRow = {
    ...{ reference, provider: 'gatewaypoa', mandate_id, tenant, mandate_type, max_amount },
    ...{ valid_from, valid_to, status: 'unauthorised', token: null, umrn: null },
    ...{ customer_id: null, deleted: false, created_at: now },
  };
  const payment = awaitPayer({
    ...{ kind: 'authorisation', provider: 'gatewaypoa', reference, payment_id, tenant, amount: max_amount },
    ...{ payee_name, vpa, upi_uri: uriOf(mandate, payee_name, request) },
    ...{ expires_at: new Date(request.expires_at), created_at: now },
  });
  return { payment, mandate };
}

/** NPCI's mandate linking URI, in the operator's name. */
export function uriOf(mandate: MandateRow, payee_name: string, codes: MandateUriCodes): string {
  const { reference, max_amount, valid_from, valid_to } = mandate;
  const name = `Mandate ${mandate.mandate_id ?? reference}`;
  return mandateUri({
    ...{ payee_vpa: PAYEE_VPA, payee_name, mandate_name: name, reference, limit: max_amount.toFixed2() },
    ...{ valid_from, valid_to, merchant_category: MERCHANT_CATEGORY, note: name },
    ...{ purpose: codes.purpose, mode: codes.mode },
  });
}

function isSame(
  before: ProviderPaymentRow,
  known: MandateRow,
  payment: ProviderPaymentRow,
  mandate: MandateRow,
): boolean {
  const payer = before.payment_id === payment.payment_id && before.vpa === payment.vpa;
  const whose = known.mandate_id === mandate.mandate_id && known.tenant === mandate.tenant;
  const dates = known.valid_from === mandate.valid_from && known.valid_to === mandate.valid_to;
  return payer && whose && dates && known.max_amount.equals(mandate.max_amount);
}
