import { ApiError } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { OrderClaims } from '../outside/claims-client.ts';
import type { OrderFact } from './order-state.repository.ts';
import type { ShareRow } from './payment.tables.ts';
import type { Payment } from './payment.ts';

/** The answer of orders about the given shares. */
export interface GiveUpAnswered {
  /** The orders that can no longer be confirmed under this payment: their shares go back. */
  readonly givenUp: ReadonlySet<number>;
  /** The states of the orders, for the projection. */
  readonly facts: readonly OrderFact[];
  /** False when an order is missing in the answer: orders must be asked again. */
  readonly isWhole: boolean;
}

const NOTHING_ASKED: GiveUpAnswered = { givenUp: new Set(), facts: [], isWhole: true };

/**
 * Asks orders before money goes back because an order was not confirmed (decision 0029). The states stored here may lag behind, and
 * a refund cannot be undone.
 */
@Injectable()
export class AskToGiveUp {
  constructor(
    private readonly claims: OrderClaims,
    private readonly log: Log,
  ) {}

  /** Returns null when orders gave no answer: then nothing is given up, and the same request is sent again later. */
  async execute({ tenant, id }: Payment, shares: readonly ShareRow[]): Promise<GiveUpAnswered | null> {
    if (shares.length === 0) return NOTHING_ASKED;
    const asked = shares.map((share) => share.old_id);
    try {
      const { orders } = await this.claims.giveUp({ tenant, payment_id: id, amc_order_ids: asked });
      await passFaultPoint('payments.give_up_answered');
      const missing = asked.filter((old_id) => !orders.some((order) => order.old_id === old_id));
      if (missing.length > 0)
        this.log.warn('orders does not know orders of a payment', {
          tenant,
          payment_id: id,
          missing,
        });
      return {
        givenUp: new Set(orders.flatMap(({ outcome, old_id }) => (outcome === 'given_up' ? [old_id] : []))),
        facts: orders.map(({ old_id, id: order_id, state, sequence }) => ({
          ...{ tenant, old_id, order_id, state, sequence },
        })),
        isWhole: missing.length === 0,
      };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status < 500) throw error;
      this.log.warn('orders did not answer: no money is given up', { tenant, payment_id: id });
      return null;
    }
  }
}
