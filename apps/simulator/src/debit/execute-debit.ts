import { Decimal } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, known, mustBeSame } from '../gatewaypoa/gateway-refusal.ts';
import { debitFault } from '../mandate/npci.ts';
import { store } from '../store/simulator.tables.ts';
import { toDebitObject, type DebitRow } from './debit.ts';
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
  const token = request.mandate_token;
  const mandate = known(await store.mandates.lock(tx, { token }), token);
  const before = await store.debits.find(tx, { reference: request.reference });
  if (before) return same(before, request);
  const { payment_reference, notice_reference } = request;
  const payment = await store.payments.lock(tx, { reference: payment_reference });
  const attempts = await store.debits.list(tx, { payment_reference }, 't.number');
  const amount = Decimal.ofPaise(request.amount_paise);
  const notice = notice_reference === null ? null : await store.notices.find(tx, { notice_reference });
  const isOpen = attempts.some(({ status }) => status === 'processing');
  const isPaid = payment?.status === 'captured';
  const fault = debitFault({ mandate, amount, notice, isPaid, isOpen }, tx.now);
  const row = rowOf(request, fault, tx.now);
  await store.debits.insert(tx, row);
  if (!fault) await openDebit(tx, { ...request, amount, provider: 'gatewaypoa' }, payment);
  return row;
}

function same(before: DebitRow, request: Request): DebitRow {
  const isSame =
    before.payment_reference === request.payment_reference &&
    before.amount.toPaise() === request.amount_paise;
  mustBeSame(isSame, 'reference belongs to another debit');
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
