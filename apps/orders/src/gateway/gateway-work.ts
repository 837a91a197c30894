import type { GatewayOrderStatus, OrderGateway } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import {
  HandlesDue,
  pursue,
  type DueResult,
  type DueWork,
  type OutsideAnswer,
  type OutsideCall,
} from '@fundrail/service-kit/due';
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

type GatewayCall = OutsideCall<Order, GatewayOrderStatus>;
const NOT_FOUND = { kind: 'not_found' } as const;
const UNKNOWN_THERE = { kind: 'unknown', why: 'not_found', detail: 'the gateway does not have it' } as const;

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
    const send = async (row: Order) => factsOfReview(await this.gateway.requestReview(toGatewayOrder(row)));
    return pursue(this.callOf('under_review', { send: { name: 'orders.review', call: send } }), work);
  }

  @HandlesDue(ORDER_DUE.submit)
  @HandlesDue(ORDER_DUE.submitInstallment)
  submit(work: DueWork): Promise<DueResult> {
    const call = this.callOf('confirmed', {
      asksFirst: (row, { attempts }) => isStopped(row) || attempts > 0,
      ask: { name: 'orders.status', call: (row) => this.askForSubmission(row) },
      send: {
        name: 'orders.submit',
        call: (row) => {
          // The money of a stopped order goes back. The gateway has just answered that no submission has arrived (decision 0030).
          if (isStopped(row)) return this.collected.withdraw(row);
          return awaitsCollection(row) ? Promise.resolve('done') : this.sendSubmission(row);
        },
      },
    });
    return pursue(call, work);
  }

  /** Asks for the state of a submitted order until it ends; asks once about any order after a callback that was not understood. */
  @HandlesDue(ORDER_DUE.status)
  @HandlesDue(ORDER_DUE.installmentStatus)
  status(work: DueWork): Promise<DueResult> {
    const call = this.callOf('submitted', {
      load: (asked) => this.find(asked),
      asksFirst: () => true,
      ask: { name: 'orders.status', call: (row) => this.askForState(row) },
      send: { name: 'orders.submit', call: (row) => this.sendSubmission(row) },
    });
    return pursue(call, work);
  }

  /** A call for an order that waits for the gateway in this state. */
  private callOf(
    waiting: MfOrderState,
    parts: Pick<GatewayCall, 'send'> & Partial<GatewayCall>,
  ): GatewayCall {
    return {
      load: async (work) => {
        const row = await this.find(work);
        return row?.state === waiting ? row : null;
      },
      ask: { name: 'orders.status', call: (row) => this.gateway.status(row.id) },
      apply: async ({ tenant, id }, facts) => {
        const after = await this.learn.execute(tenant, id, facts);
        return after?.state === waiting ? 'later' : 'done';
      },
      silence: {
        log: this.log,
        what: 'an order',
        about: ({ tenant, id, state }) => ({ tenant, id, state }),
        record: async (row) => {
          const now = await this.database.now();
          await markGatewayAnswer(this.database, row, false, now);
          return { since: row.unanswered_since ?? now, now };
        },
      },
      ...parts,
    };
  }

  private async sendSubmission(row: Order): Promise<OutsideAnswer<GatewayOrderStatus> | 'later'> {
    const answer = await this.collected.execute(row, async () => {
      const answered = await this.gateway.submit(toGatewayOrder(row));
      await passFaultPoint('orders.submit.answered');
      return answered;
    });
    return answer ? factsOfSubmission(answer) : 'later';
  }

  /** A gateway that has reviewed the order but has no submission of it has not received our call. */
  private async askForSubmission(row: Order): Promise<OutsideAnswer<GatewayOrderStatus>> {
    const answer = await this.gateway.status(row.id);
    return answer.kind === 'yes' && answer.value.submission.result === 'none' ? NOT_FOUND : answer;
  }

  /** Only a submitted order is sent again: any other has its own call. */
  private async askForState(row: Order): Promise<OutsideAnswer<GatewayOrderStatus>> {
    const answer = await this.gateway.status(row.id);
    return answer.kind === 'not_found' && row.state !== 'submitted' ? UNKNOWN_THERE : answer;
  }

  private find(work: DueWork): Promise<Order | null> {
    return findOrder(this.database, work.tenant, kindOfId(work.key), { id: work.key });
  }
}

function isStopped({ submission_stopped_at }: Order): boolean {
  return submission_stopped_at !== null;
}
