import { found, type PaymentTraceDto } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import { callsOf } from '@fundrail/service-kit/calls';
import { Database } from '@fundrail/service-kit/db';
import { plannedDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { findCollection } from '../collection/collection.repository.ts';
import { Mandates } from '../outside/mandates-client.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import type { Payment } from '../payment/payment.ts';
import { COLLECTION_WORK, REFUND_WORK, toTrace, TRANSFER_WORK } from './payment-trace.ts';
import type { NextTry, StepRow } from './payment-trace.ts';

const KINDS = [...COLLECTION_WORK, ...TRANSFER_WORK, ...REFUND_WORK];

const NEWEST_STEPS = sql(
  'payment_history.newest',
  `SELECT trigger, from_status, to_status, at FROM payment_history
    WHERE tenant = $1 AND payment_id = $2 ORDER BY id DESC LIMIT 200`,
);

/** Collects the stored facts about a payment for an operator, those about a debit from mandates. It changes nothing. */
@Injectable()
export class TracePayment {
  constructor(
    private readonly database: Database,
    private readonly mandates: Mandates,
  ) {}

  /** Throws 404 when this tenant has no such payment, 503 when it is a debit and mandates does not answer. */
  async execute(tenant: string, id: number): Promise<PaymentTraceDto> {
    const payment = found(await findCollection(this.database, tenant, id));
    const debit = payment.payment_type === 'NACH' ? await this.mandates.traceDebit(tenant, id) : null;
    const states = await orderStates(this.database, payment);
    const calls = await callsOf(this.database, payment);
    const nextTry = await this.planned(payment);
    const steps = await this.database.query<StepRow>(NEWEST_STEPS, [tenant, id]);
    return toTrace({ payment, debit, states, calls, nextTry, history: steps.reverse() });
  }

  private async planned({ tenant, id, refunds }: Payment): Promise<NextTry> {
    const keys = [String(id), ...refunds.map(({ reference }) => reference)];
    const rows = await plannedDue(this.database, tenant, KINDS, keys);
    return (kinds, key) => {
      const times = rows
        .filter((row) => row.key === key && kinds.includes(row.kind))
        .map((row) => row.due_at);
      return times.reduce<Date | null>((least, at) => (least && least <= at ? least : at), null);
    };
  }
}
