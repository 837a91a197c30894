import { ApiError } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Tx } from '@fundrail/persistence';
import { ServiceClient, type Caller } from '@fundrail/service-kit/http';
import { IllegalTransition } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { optOut } from '../debit/opt-out.ts';
import { actOnMandate } from '../mandate/act-on-mandate.ts';
import { findKnownPayment } from '../provider-payment/known-payments.ts';
import { capture, captureAgain, decline, refuseTransfer } from '../provider-payment/provider-payment.ts';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { savePayment } from '../provider-payment/save-payment.ts';
import { nextProviderReference } from '../store/next-number.repository.ts';
import { store } from '../store/simulator.tables.ts';
import { EndTransfer } from '../transfer/end-transfer.ts';
import type { SimulatePaymentRequest } from './simulate.dto.ts';

/** What a payment that the provider has may do. A refused debit has no payment there yet. */
type PlayedRequest = Exclude<SimulatePaymentRequest, { status: 'OPTED_OUT' }>;

/** Simulates the investor, the bank or the transfer of a payment. An impossible outcome throws `IllegalTransition`. */
@Injectable()
export class SimulatePayment {
  constructor(
    private readonly db: Database,
    private readonly services: ServiceClient,
    private readonly endTransfer: EndTransfer,
  ) {}

  async execute(caller: Caller, id: number, request: SimulatePaymentRequest) {
    const answer = await this.db.transaction(async (tx) => {
      if (request.status === 'OPTED_OUT')
        return (await optOut(tx, caller.tenant, id))
          ? caller.answer(tx, { id, status: request.status })
          : null;
      const row = await store.payments.lock(tx, { payment_id: id });
      if (!row) return null;
      if (row.tenant !== caller.tenant) throw new ApiError('NOT_FOUND');
      await (row.kind === 'authorisation' ? authorise(tx, row, request) : this.play(tx, row, request));
      return caller.answer(tx, { id, status: request.status });
    });
    return answer ?? this.refuseUnissued(caller.tenant, id, request.status);
  }

  private async play(tx: Tx, row: ProviderPaymentRow, request: PlayedRequest): Promise<void> {
    switch (request.status) {
      case 'SUCCESS':
        return savePayment(tx, pay(row, await nextProviderReference(tx), request.payer === 'third_party'));
      case 'SUBMITTED':
        return;
      case 'INITIATED':
      case 'APPROVED':
        // The transfer starts and is settled by itself.
        if (row.status === 'captured') return;
        return savePayment(tx, pay(row, await nextProviderReference(tx), false));
      case 'PAID_AGAIN':
        if (row.kind === 'debit')
          throw new IllegalTransition(`${row.provider} debit`, row.status, 'capture_again', 'captured twice');
        return savePayment(tx, captureAgain(row, await nextProviderReference(tx)));
      case 'FAILED':
        return savePayment(
          tx,
          decline(row, request.failure_code ?? 'payment_failed', 'The payment failed at the bank'),
        );
      case 'TRANSFER_REJECTED':
        return this.rejectTransfer(tx, row, request.failure_code ?? 'transfer_rejected');
      default:
        return request satisfies never;
    }
  }

  /** Rejects a running transfer now, and a future one when it starts. */
  private async rejectTransfer(tx: Tx, row: ProviderPaymentRow, code: string): Promise<void> {
    const ofPayment = { payment_reference: row.reference };
    if (await store.transfers.find(tx, { ...ofPayment, status: { not: 'processing' } }))
      throw new IllegalTransition('gatewaypoa transfer', 'ended', 'reject_transfer', 'rejected');
    await store.payments.save(tx, refuseTransfer(row, code));
    for (const { reference } of await store.transfers.list(
      tx,
      { ...ofPayment, status: 'processing' },
      't.reference',
    ))
      await this.endTransfer.execute(tx, reference);
  }

  /** The provider does not have the payment: 409 when it exists but its URI is not issued yet, else 404. */
  private async refuseUnissued(tenant: string, id: number, status: string): Promise<never> {
    const known = await findKnownPayment(this.services, id);
    if (known?.tenant !== tenant) throw new ApiError('NOT_FOUND');
    throw new IllegalTransition('gatewaypoa payment', 'not issued', 'simulate', status);
  }
}

/** Simulates an authorisation: first the investor and, after the approval, the bank. */
async function authorise(tx: Tx, row: ProviderPaymentRow, request: PlayedRequest): Promise<void> {
  if (request.status === 'TRANSFER_REJECTED' || request.status === 'PAID_AGAIN')
    throw new IllegalTransition(`${row.provider} authorisation`, row.status, 'simulate', request.status);
  if (request.status === 'SUBMITTED' || request.status === 'INITIATED') return;
  if (request.status === 'SUCCESS') return actOnMandate(tx, row.reference, 'approve');
  if (request.status === 'APPROVED')
    return row.status === 'captured' ? undefined : actOnMandate(tx, row.reference, 'approve');
  const code = request.failure_code ?? 'payment_failed';
  if (row.status === 'captured') return actOnMandate(tx, row.reference, 'reject', code);
  await savePayment(tx, decline(row, code, 'The authorisation failed at the bank'));
}

/** gatewaypoa accepts a third party's money and reports that. Razorpay knows the payer's account and refuses any other. */
function pay(row: ProviderPaymentRow, reference: string, isThirdParty: boolean): ProviderPaymentRow {
  if (isThirdParty && row.provider === 'sdkvendor')
    return decline(row, 'tpv_failed', 'Payment was made from a bank account that is not the registered one');
  return capture(row, reference, isThirdParty);
}
