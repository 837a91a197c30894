import type { GatewayOrderStatus, OrderGateway } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import {
  GatewayCalls,
  HandlesDue,
  pursue,
  type DueResult,
  type DueWork,
  type OutsideAnswer,
} from '@fundrail/service-kit/due';
import { Inject, Injectable } from '@nestjs/common';
import { awaitsCollection } from '../mf-redemption/mf-redemption.ts';
import { SubmitCollected } from '../mf-redemption/submit-collected.ts';
import { passFaultPoint } from '../order/fault-points.ts';
import { ORDER_DUE } from '../order/order-due.ts';
import { findOrder, markGatewayAnswer } from '../order/order.repository.ts';
import { kindOfId, type Order } from '../order/order.ts';
import { LearnGatewayFacts } from './learn-gateway-facts.ts';
import { factsOfReview, factsOfSubmission, ORDER_GATEWAY, toGatewayOrder } from './order-gateway.ts';

/** Calls the order gateway about orders. */
@Injectable()
export class GatewayWork {
  private readonly calls: GatewayCalls<Order, GatewayOrderStatus>;

  constructor(
    @Inject(ORDER_GATEWAY) private readonly gateway: OrderGateway,
    private readonly collected: SubmitCollected,
    database: Database,
    learn: LearnGatewayFacts,
    log: Log,
  ) {
    this.calls = new GatewayCalls({
      ...{ what: 'an order', log, database },
      find: ({ tenant, key: id }) => findOrder(database, tenant, kindOfId(id), { id }),
      status: { name: 'orders.status', call: ({ id }) => gateway.status(id) },
      hasArrived: ({ submission }) => submission.result !== 'none',
      learn: (tenant, id, facts) => learn.execute(tenant, id, facts),
      markUnanswered: (row, now) => markGatewayAnswer(database, row, false, now),
    });
  }

  @HandlesDue(ORDER_DUE.review)
  @HandlesDue(ORDER_DUE.reviewInstallment)
  review(work: DueWork): Promise<DueResult> {
    const send = async (row: Order) => factsOfReview(await this.gateway.requestReview(toGatewayOrder(row)));
    return pursue(this.calls.callOf('under_review', { send: { name: 'orders.review', call: send } }), work);
  }

  @HandlesDue(ORDER_DUE.submit)
  @HandlesDue(ORDER_DUE.submitInstallment)
  submit(work: DueWork): Promise<DueResult> {
    const call = this.calls.callOf('confirmed', {
      asksFirst: (row, { attempts }) => isStopped(row) || attempts > 0,
      ask: this.calls.askForArrival(),
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

  @HandlesDue(ORDER_DUE.status)
  @HandlesDue(ORDER_DUE.installmentStatus)
  status(work: DueWork): Promise<DueResult> {
    const send = { name: 'orders.submit', call: (row: Order) => this.sendSubmission(row) };
    return pursue(this.calls.callOfSubmitted(send), work);
  }

  private async sendSubmission(row: Order): Promise<OutsideAnswer<GatewayOrderStatus> | 'later'> {
    const answer = await this.collected.execute(row, async () => {
      const answered = await this.gateway.submit(toGatewayOrder(row));
      await passFaultPoint('orders.submit.answered');
      return answered;
    });
    return answer ? factsOfSubmission(answer) : 'later';
  }
}

function isStopped({ submission_stopped_at }: Order): boolean {
  return submission_stopped_at !== null;
}
