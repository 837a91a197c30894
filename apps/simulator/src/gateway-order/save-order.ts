import { scheduleDue } from '@fundrail/service-kit/due';
import type { Tx } from '@fundrail/persistence';
import { recordCallback } from '../callback/callback.repository.ts';
import { store } from '../store/simulator.tables.ts';
import { isReadyForRegistrar, payoutTime, toOrderObject, type GatewayOrderRow } from './gateway-order.ts';

/** Due kinds of the simulated gateway; the key is the order's reference. */
export const REVIEW_ORDER = 'review_order';
export const ASK_REGISTRAR = 'ask_registrar';
export const PAY_OUT = 'pay_out';

/** Stores an order's step, the callback that reports it, and when it is paid out. This transaction holds the row's lock. */
export async function saveOrder(tx: Tx, row: GatewayOrderRow): Promise<void> {
  await store.orders.save(tx, row);
  const { tenant, reference } = row;
  const due_at = payoutTime(row);
  if (due_at) await scheduleDue(tx, { kind: PAY_OUT, key: reference, tenant, due_at });
  const object = toOrderObject(row);
  await recordCallback(tx, { tenant, topic: 'orders', event: 'order.updated', reference, object });
}

/** Schedules the registrar's result once the order is both submitted and paid. */
export async function askRegistrarWhenReady(tx: Tx, row: GatewayOrderRow): Promise<void> {
  if (!isReadyForRegistrar(row)) return;
  await scheduleDue(tx, { kind: ASK_REGISTRAR, key: row.reference, tenant: row.tenant, due_at: tx.now });
}
