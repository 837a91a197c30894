import { Decimal } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, notKnownHere } from '../gatewaypoa/gateway-refusal.ts';
import { lockMandateOfToken } from '../mandate/mandate.repository.ts';
import { debitFault } from '../mandate/npci.ts';
import { lockPayment } from '../provider-payment/provider-payment.repository.ts';
import { toDebitObject, type DebitRow } from './debit.ts';
import { debitsOfPayment, findDebit, insertDebit } from './debit.repository.ts';
import { findNotice } from './notice.repository.ts';
import { openDebit } from './open-debit.ts';

type Request = gatewaypoaWire.DebitRequest;

/**
 * Accepts one attempt of a debit if NPCI and the bank allow it. A refusal is stored, so that a repeated reference gets the same response
 * whatever has changed meanwhile.
 */
@Injectable()
export class ExecuteDebit {
  constructor(private readonly db: Database) {}

  async execute(request: Request): Promise<gatewaypoaWire.DebitObject> {
    const row = await this.db.transaction((tx) => take(tx, request));
    if (row.status === 'refused')
      throw new GatewayRefusal(422, row.failure_code ?? 'refused', row.failure_message ?? 'refused');
    return toDebitObject(row);
  }
}

async function take(tx: Tx, request: Request): Promise<DebitRow> {
  const mandate = await lockMandateOfToken(tx, request.mandate_token);
  if (!mandate) throw notKnownHere(request.mandate_token);
  const before = await findDebit(tx, request.reference);
  if (before) return same(before, request);
  const { payment_reference, notice_reference } = request;
  const payment = await lockPayment(tx, payment_reference);
  const attempts = await debitsOfPayment(tx, payment_reference);
  const amount = Decimal.ofPaise(request.amount_paise);
  const notice = notice_reference === null ? null : await findNotice(tx, notice_reference);
  const isOpen = attempts.some(({ status }) => status === 'processing');
  const isPaid = payment?.status === 'captured';
  const fault = debitFault({ mandate, amount, notice, isPaid, isOpen }, tx.now);
  const row = rowOf(request, fault, tx.now);
  await insertDebit(tx, row);
  if (!fault) await openDebit(tx, { ...request, amount, provider: 'gatewaypoa' }, payment);
  return row;
}

function same(before: DebitRow, request: Request): DebitRow {
  if (
    before.payment_reference !== request.payment_reference ||
    before.amount.toPaise() !== request.amount_paise
  )
    throw new GatewayRefusal(422, 'idempotency_mismatch', 'that reference belongs to another debit');
  return before;
}

function rowOf(request: Request, fault: { code: string; message: string } | null, now: Date): DebitRow {
  const { reference, payment_reference, tenant, mandate_token, notice_reference, attempt } = request;
  return {
    ...{ reference, payment_reference, tenant, mandate_token, notice_reference, attempt },
    ...{ amount: Decimal.ofPaise(request.amount_paise), status: fault ? 'refused' : 'processing' },
    ...{ provider_reference: null, failure_code: fault?.code ?? null },
    ...{ failure_message: fault?.message ?? null, created_at: now },
  };
}
