import { Decimal, RECONCILIATION_PAGE } from '@fundrail/contracts';
import type { BookedOrder, OrderGateway } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import {
  BookCheck,
  byKey,
  Unanswered,
  type CheckPage,
  type Finding,
  type Listed,
  type ListQuery,
  type Window,
} from '@fundrail/service-kit/reconciliation';
import { Inject, Injectable } from '@nestjs/common';
import { applyGatewayFacts } from '../gateway/gateway-facts.ts';
import { ORDER_GATEWAY } from '../gateway/order-gateway.ts';
import { gatewayDue } from '../order/order-due.ts';
import { findByReferences } from '../order/order.repository.ts';
import type { Order } from '../order/order.ts';
import { unseenAtGateway } from './standing.repository.ts';

/** Compares the order gateway's own list of orders with ours. */
@Injectable()
export class GatewayBookCheck extends BookCheck<BookedOrder> {
  readonly name = 'order gateway';

  constructor(
    private readonly database: Database,
    @Inject(ORDER_GATEWAY) private readonly gateway: OrderGateway,
  ) {
    super(database);
  }

  /** Each order is requested separately, because the list may be older than the row. */
  async again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    const rows = byKey(
      await findByReferences(
        this.db,
        findings.map(({ object }) => object),
      ),
      ({ id }) => id,
    );
    const still: Finding[] = [];
    for (const finding of findings) {
      const row = rows.get(finding.object);
      const answer = await this.gateway.status(finding.object);
      if (answer.kind === 'unknown') throw new Unanswered(`the gateway does not answer: ${answer.why}`);
      if (answer.kind === 'not_found' && row && finding.kind === 'order_not_at_gateway') still.push(finding);
      if (answer.kind !== 'yes') continue;
      const amount = amountIn(finding);
      const entry = { reference: finding.object, amount, status: answer.value };
      still.push(...this.findingsOf(entry, row, await this.database.now()));
    }
    return still;
  }

  override async repair({ kind, object, facts }: Finding): Promise<boolean> {
    const isAskable = kind === 'order_differs_at_gateway' && facts['missing_here'] !== '';
    if (!isAskable && kind !== 'order_not_at_gateway') return false;
    const [row] = await findByReferences(this.db, [object]);
    if (!row) return false;
    await this.database.transaction((tx) =>
      scheduleDue(tx, { kind: gatewayDue(row).status, key: row.id, tenant: row.tenant, due_at: tx.now }),
    );
    return true;
  }

  protected async list(query: ListQuery): Promise<Listed<BookedOrder>> {
    const answer = await this.gateway.listOrders?.(query);
    if (!answer) return { entries: [], next: null };
    if (answer.kind !== 'yes') throw new Unanswered(`the gateway returns no list: ${answer.kind}`);
    return answer.value;
  }

  protected keyOf({ reference }: BookedOrder): string {
    return reference;
  }

  protected async compare(entries: readonly BookedOrder[]): Promise<readonly Finding[]> {
    const found = await findByReferences(
      this.db,
      entries.map(({ reference }) => reference),
    );
    const rows = byKey(found, ({ id }) => id);
    const now = await this.database.now();
    return entries.flatMap((entry) => this.findingsOf(entry, rows.get(entry.reference), now));
  }

  protected async unseen(after: string, { from, to }: Window): Promise<CheckPage> {
    if (!this.gateway.listOrders) return { found: [], next: null, looked: 0 };
    const rows = await unseenAtGateway(this.db, this.name, Number(after || 0), { from, to });
    const last = rows.at(-1);
    return {
      found: rows.map(({ id, tenant, state }) => ({
        kind: 'order_not_at_gateway',
        object: id,
        tenant,
        facts: { state },
      })),
      next: last && rows.length === RECONCILIATION_PAGE ? String(last.old_id) : null,
      looked: rows.length,
    };
  }

  private findingsOf(entry: BookedOrder, row: Order | undefined, now: Date): Finding[] {
    const { reference: object, amount, status } = entry;
    const facts = { ...amountFact(amount), ...reportedIn(entry) };
    if (!row) return [{ kind: 'order_unknown_here', object, tenant: null, facts }];
    const about = { object, tenant: row.tenant };
    const { steps, contradiction } = applyGatewayFacts(row, status, now);
    const missing_here = steps.map(({ trigger }) => trigger).join(', ');
    const differs = amount !== null && row.amount !== null && amount.compare(row.amount) !== 0;
    return [
      ...(differs
        ? [
            {
              ...about,
              kind: 'order_amount_differs_at_gateway' as const,
              facts: { ...facts, amount_here: row.amount.toString() },
            },
          ]
        : []),
      ...(steps.length > 0 || contradiction !== null
        ? [
            {
              ...about,
              kind: 'order_differs_at_gateway' as const,
              facts: { ...facts, state_here: row.state, missing_here, contradiction },
            },
          ]
        : []),
    ];
  }
}

function reportedIn({ status: { review, submission, outcome } }: BookedOrder) {
  return { review: review.result, submission: submission.result, outcome: outcome.result };
}

function amountFact(amount: Decimal | null) {
  return { amount_there: amount?.toString() ?? null };
}

/** The gateway's answer about one order does not contain the amount, which never changes there. */
function amountIn({ facts }: Finding): Decimal | null {
  const amount = facts['amount_there'];
  return typeof amount === 'string' ? Decimal.parse(amount) : null;
}
