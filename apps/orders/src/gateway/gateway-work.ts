import type { Answer, GatewayOrderStatus, OrderGateway } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import type { MfOrderState } from '@fundrail/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { awaitsCollection } from '../mf-redemption/mf-redemption.ts';
import { SubmitCollected } from '../mf-redemption/submit-collected.ts';
import { passFaultPoint } from '../order/fault-points.ts';
import { ORDER_DUE } from '../order/order-due.ts';
import { findOrder, markGatewayAnswer } from '../order/order.repository.ts';
import { kindOfId, type Order } from '../order/order.ts';
import { LearnGatewayFacts } from './learn-gateway-facts.ts';
import { factsOfReview, factsOfSubmission, ORDER_GATEWAY, toGatewayOrder } from './order-gateway.ts';

/** An order without an understood answer for this long counts as unresolved (GATE-5). */
const UNRESOLVED_AFTER_MS = 24 * 3_600_000;

/**
 * Talks to the order gateway. It makes the call first, then asks for the state after 5 s, 30 s, 5 min, 1 h and then hourly, until
 * the order has left the state that waits for the gateway. Every call carries our order id as its idempotency key.
 */
@Injectable()
export class GatewayWork {
  constructor(
    @Inject(ORDER_GATEWAY) private readonly gateway: OrderGateway,
    private readonly database: Database,
    private readonly learn: LearnGatewayFacts,
    private readonly collected: SubmitCollected,
    private readonly log: Log,
  ) {}

  @HandlesDue(ORDER_DUE.review)
  @HandlesDue(ORDER_DUE.reviewInstallment)
  review(work: DueWork): Promise<DueResult> {
    return this.pursue(work, 'under_review', (row) => this.sendReview(row));
  }

  @HandlesDue(ORDER_DUE.submit)
  @HandlesDue(ORDER_DUE.submitInstallment)
  submit(work: DueWork): Promise<DueResult> {
    return this.pursue(work, 'confirmed', (row) =>
      awaitsCollection(row) ? Promise.resolve('done') : this.sendSubmission(row),
    );
  }

  /** Asks for the state of a submitted order until it ends; asks once about any order after a callback that was not understood. */
  @HandlesDue(ORDER_DUE.status)
  @HandlesDue(ORDER_DUE.installmentStatus)
  async status(work: DueWork): Promise<DueResult> {
    const row = await this.find(work);
    if (!row) return 'done';
    const answer = await this.ask(row);
    if (answer.kind === 'not_found' && row.state === 'submitted') return this.sendSubmission(row);
    if (answer.kind !== 'yes') return this.unanswered(row, answer);
    return this.conclude(row, 'submitted', answer.value);
  }

  private async pursue(
    work: DueWork,
    waiting: MfOrderState,
    send: (row: Order) => Promise<DueResult>,
  ): Promise<DueResult> {
    const row = await this.find(work);
    if (row?.state !== waiting) return 'done';
    if (row.submission_stopped_at !== null) return this.stopped(row);
    if (work.attempts === 0) return send(row);
    const answer = await this.ask(row);
    if (answer.kind === 'not_found') return send(row);
    if (answer.kind !== 'yes') return this.unanswered(row, answer);
    // The gateway has reviewed the order but has no submission of it: our call never arrived.
    const neverArrived = waiting === 'confirmed' && answer.value.submission.result === 'none';
    return neverArrived ? send(row) : this.conclude(row, waiting, answer.value);
  }

  private async sendReview(row: Order): Promise<DueResult> {
    await passFaultPoint('orders.review.before_call');
    const answer = await this.gateway.requestReview(toGatewayOrder(row));
    await passFaultPoint('orders.review.called');
    const facts = factsOfReview(answer);
    return facts ? this.conclude(row, 'under_review', facts) : this.unanswered(row, answer);
  }

  private async sendSubmission(row: Order): Promise<DueResult> {
    await passFaultPoint('orders.submit.before_call');
    const answer = await this.collected.execute(row, async () => {
      const called = await this.gateway.submit(toGatewayOrder(row));
      await passFaultPoint('orders.submit.called');
      return called;
    });
    if (!answer) return 'later';
    const facts = factsOfSubmission(answer);
    return facts ? this.conclude(row, row.state, facts) : this.unanswered(row, answer);
  }

  /**
   * The money of a confirmed order goes back, and a call that submits it may have arrived. Only the gateway knows (decision 0030).
   */
  private async stopped(row: Order): Promise<DueResult> {
    const answer = await this.ask(row);
    if (answer.kind === 'not_found') return this.collected.withdraw(row);
    if (answer.kind !== 'yes') return this.unanswered(row, answer);
    if (answer.value.submission.result === 'none') return this.collected.withdraw(row);
    return this.conclude(row, 'confirmed', answer.value);
  }

  private async ask(row: Order): Promise<Answer<GatewayOrderStatus>> {
    await passFaultPoint('orders.status.before_call');
    const answer = await this.gateway.status(row.id);
    await passFaultPoint('orders.status.called');
    return answer;
  }

  private async conclude(row: Order, waiting: MfOrderState, facts: GatewayOrderStatus): Promise<DueResult> {
    const after = await this.learn.execute(row.tenant, row.id, facts);
    return after?.state === waiting ? 'later' : 'done';
  }

  /** No answer is not a failure: the order keeps its state, and the gateway is asked again later. */
  private async unanswered(row: Order, answer: Answer<unknown>): Promise<DueResult> {
    const now = await this.database.now();
    await markGatewayAnswer(this.database, row, false, now);
    const about = { tenant: row.tenant, id: row.id, state: row.state, ...described(answer) };
    const silentMs = now.getTime() - (row.unanswered_since ?? now).getTime();
    if (silentMs >= UNRESOLVED_AFTER_MS)
      this.log.warn('an order is unresolved', { ...about, silent_since: row.unanswered_since });
    else this.log.info('the gateway gave no usable answer', about);
    return 'later';
  }

  private find(work: DueWork): Promise<Order | null> {
    return findOrder(this.database, work.tenant, kindOfId(work.key), { id: work.key });
  }
}

function described(answer: Answer<unknown>): Record<string, string> {
  return answer.kind === 'unknown' ? { why: answer.why, detail: answer.detail } : { why: answer.kind };
}
