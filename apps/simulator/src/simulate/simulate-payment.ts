import { ApiError } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Tx } from '@fundrail/persistence';
import { ServiceClient, type Caller } from '@fundrail/service-kit/http';
import { IllegalTransition } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { optOut } from '../debit/opt-out.ts';
import { actOnMandate } from '../mandate/act-on-mandate.ts';
import { lockMandate } from '../mandate/save-authorisation.ts';
import { findKnownPayment } from '../provider-payment/known-payments.ts';
import {
  awaitStep,
  capture,
  captureAgain,
  decline,
  refuseTransfer,
} from '../provider-payment/provider-payment.ts';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { savePayment } from '../provider-payment/save-payment.ts';
import { nextProviderReference } from '../store/next-number.repository.ts';
import { store } from '../store/simulator.tables.ts';
import { EndTransfer } from '../transfer/end-transfer.ts';
import type { SimulatePaymentRequest } from './simulate.dto.ts';

/** For how long, and how often, a payment is looked for that is being issued (COMP-11); wall milliseconds. */
const LONGEST_WAIT_MS = 2_000;
const WAIT_MS = 100;

/** What a payment that the provider has may do. A refused debit has no payment there yet. */
type PlayedRequest = Exclude<SimulatePaymentRequest, { status: 'OPTED_OUT' | 'REJECTED' | 'TIMEDOUT' }>;

/** Simulates the investor, the bank or the transfer of a payment. An impossible outcome, or one of a payment that is not issued, throws `IllegalTransition`. */
@Injectable()
export class SimulatePayment {
  constructor(
    private readonly db: Database,
    private readonly services: ServiceClient,
    private readonly endTransfer: EndTransfer,
  ) {}

  async execute(caller: Caller, id: number, request: SimulatePaymentRequest) {
    const answer = await this.act(caller, id, request);
    if (answer) return answer;
    const known = await findKnownPayment(this.services, id);
    if (known?.tenant !== caller.tenant) throw new ApiError('NOT_FOUND');
    // A client of the upstream simulates at once what it has created, while the URI is still being issued.
    const isIssuing = caller.compatibility !== null && known.status === 'PENDING';
    for (const until = performance.now() + LONGEST_WAIT_MS; isIssuing && performance.now() < until;) {
      await pause(WAIT_MS);
      const late = await this.act(caller, id, request);
      if (late) return late;
    }
    throw new IllegalTransition('gatewaypoa payment', 'not issued', 'simulate', request.status);
  }

  /** Null when the provider does not have the payment: it does not exist, or its URI is not issued yet. */
  private act(caller: Caller, id: number, request: SimulatePaymentRequest) {
    return this.db.transaction(async (tx) => {
      if (request.status === 'OPTED_OUT')
        return (await optOut(tx, caller.tenant, id))
          ? caller.answer(tx, { id, status: request.status })
          : null;
      const row = await store.payments.lock(tx, { payment_id: id });
      if (!row) return null;
      if (row.tenant !== caller.tenant) throw new ApiError('NOT_FOUND');
      const played = asPlayed(request, row, caller.compatibility !== null);
      await (row.kind === 'authorisation' ? authorise(tx, row, played) : this.play(tx, row, played));
      return caller.answer(tx, { id, status: request.status });
    });
  }

  private async play(tx: Tx, row: ProviderPaymentRow, request: PlayedRequest): Promise<void> {
    switch (request.status) {
      case 'SUCCESS':
        return savePayment(tx, pay(row, await nextProviderReference(tx), request.payer === 'third_party'));
      case 'PENDING':
      case 'SUBMITTED':
        return goesOn(tx, row, request.status);
      case 'INITIATED':
      case 'APPROVED':
        // The transfer starts and is settled by itself.
        if (row.status === 'captured') return goesOn(tx, row, request.status);
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
}

/** What the request means for the payment now. A client of the upstream pays in steps, and has two further words for the ends (COMP-11). */
function asPlayed(
  request: Exclude<SimulatePaymentRequest, { status: 'OPTED_OUT' }>,
  { status, kind }: ProviderPaymentRow,
  inSteps: boolean,
): PlayedRequest {
  const isPaid = status === 'captured';
  switch (request.status) {
    case 'SUCCESS':
      return inSteps && isPaid ? { status: 'APPROVED' } : request;
    case 'TIMEDOUT':
      return { status: 'FAILED', failure_code: 'pg_timeout' };
    case 'REJECTED':
      return { status: isPaid && kind !== 'authorisation' ? 'TRANSFER_REJECTED' : 'FAILED' };
    default:
      return request;
  }
}

/** For a step that changes nothing. Throws `IllegalTransition` when the payment or its transfer has failed. */
async function goesOn(tx: Tx, row: ProviderPaymentRow, step: PlayedRequest['status']): Promise<void> {
  awaitStep(row, step);
  const isRefused = row.transfer_refusal !== null;
  if (isRefused || (await store.transfers.find(tx, { payment_reference: row.reference, status: 'rejected' })))
    throw new IllegalTransition('gatewaypoa transfer', 'rejected', 'simulate', step);
}

/** For a step of an authorisation that changes nothing. Throws `IllegalTransition` when the investor has declined it or the bank rejected it. */
async function awaitBank(tx: Tx, row: ProviderPaymentRow, step: PlayedRequest['status']): Promise<void> {
  awaitStep(row, step);
  const { status } = await lockMandate(tx, row.reference);
  if (status === 'rejected') throw new IllegalTransition(`${row.provider} mandate`, status, 'simulate', step);
}

/** Simulates an authorisation: first the investor and, after the approval, the bank. */
async function authorise(tx: Tx, row: ProviderPaymentRow, request: PlayedRequest): Promise<void> {
  if (request.status === 'TRANSFER_REJECTED' || request.status === 'PAID_AGAIN')
    throw new IllegalTransition(`${row.provider} authorisation`, row.status, 'simulate', request.status);
  if (request.status === 'PENDING' || request.status === 'SUBMITTED' || request.status === 'INITIATED')
    return awaitBank(tx, row, request.status);
  if (request.status === 'SUCCESS') return actOnMandate(tx, row.reference, 'approve');
  if (request.status === 'APPROVED')
    return row.status === 'captured'
      ? awaitBank(tx, row, request.status)
      : actOnMandate(tx, row.reference, 'approve');
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
