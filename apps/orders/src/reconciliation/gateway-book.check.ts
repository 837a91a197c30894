import type { BookedOrder, GatewayOrderStatus, OrderGateway } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import {
  BookCheck,
  checkOf,
  compare,
  Unanswered,
  type About,
  type BookDeclared,
  type Finding,
  type Sides,
} from '@fundrail/service-kit/reconciliation';
import { applyGatewayFacts } from '../gateway/gateway-facts.ts';
import { ORDER_GATEWAY } from '../gateway/order-gateway.ts';
import { gatewayDue } from '../order/order-due.ts';
import { findByReferences } from '../order/order.repository.ts';
import type { Order } from '../order/order.ts';
import { unseenAtGateway } from './standing.repository.ts';

const NAME = 'order gateway';

/** An order of the gateway's, with what it reports about its state. */
type Entry = About & { readonly status: GatewayOrderStatus };

/** Compares the order gateway's own list of orders with ours. */
export const gatewayBookCheck = checkOf(
  BookCheck<BookedOrder, Entry>,
  [Database, ORDER_GATEWAY],
  (db: Database, gateway: OrderGateway): BookDeclared<BookedOrder, Entry> => ({
    name: NAME,
    list: (query) => gateway.listOrders?.(query),
    noList: 'the gateway returns no list',
    entryOf: ({ reference, amount, status }) => entryOf(reference, amount?.toString() ?? null, status),
    compare: async (entries) => {
      const references = entries.map(({ object }) => object);
      const rows = await findByReferences(db, references);
      return compare(entries, rows, sidesAt(await db.now()));
    },
    // Each order is requested separately, because the list may be older than the row.
    now: async ({ kind, object, facts }) => {
      const answer = await gateway.status(object);
      if (answer.kind === 'unknown') throw new Unanswered(`the gateway does not answer: ${answer.why}`);
      if (answer.kind === 'not_found' && kind === 'order_not_at_gateway') return 'still';
      // The answer does not contain the amount, which never changes there.
      const amount = facts['amount_there'] ?? null;
      return answer.kind === 'yes' ? entryOf(object, amount, answer.value) : null;
    },
    missingThere: {
      db,
      kind: 'order_not_at_gateway',
      unseen: (after, window) => unseenAtGateway(db, NAME, Number(after), window),
    },
    repair: async ({ kind, object, facts }) => {
      const isAskable = kind === 'order_differs_at_gateway' && facts['missing_here'] !== '';
      if (!isAskable && kind !== 'order_not_at_gateway') return false;
      const [row] = await findByReferences(db, [object]);
      if (!row) return false;
      await db.transaction((tx) =>
        scheduleDue(tx, { kind: gatewayDue(row).status, key: row.id, tenant: row.tenant, due_at: tx.now }),
      );
      return true;
    },
  }),
);

function entryOf(object: string, amount_there: Finding['facts'][string], status: GatewayOrderStatus): Entry {
  const { review, submission, outcome } = status;
  const states = { review: review.result, submission: submission.result, outcome: outcome.result };
  return { object, tenant: null, facts: { amount_there, ...states }, status };
}

function sidesAt(now: Date): Sides<Entry, Order> {
  return {
    keyOf: ({ object }) => object,
    otherKeyOf: ({ id }) => id,
    about: (entry, row) => ({ ...entry, tenant: row?.tenant ?? null }),
    missing: () => ({ order_unknown_here: {} }),
    differing: ({ facts: { amount_there }, status }, row) => {
      const { steps, contradiction } = applyGatewayFacts(row, status, now);
      const missing_here = steps.map(({ trigger }) => trigger).join(', ');
      const amount_here = row.amount?.toString() ?? null;
      return {
        order_amount_differs_at_gateway: amount_there !== null &&
          amount_here !== null &&
          amount_there !== amount_here && { amount_here },
        order_differs_at_gateway: (steps.length > 0 || contradiction !== null) && {
          ...{ state_here: row.state, missing_here, contradiction },
        },
      };
    },
  };
}
