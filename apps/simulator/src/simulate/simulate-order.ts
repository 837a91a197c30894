import { found } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { awaitStep, simulateOutcome } from '../gateway-order/gateway-order.ts';
import { saveOrder } from '../gateway-order/save-order.ts';
import { store } from '../store/simulator.tables.ts';
import { UPSTREAM_ORDER_STEPS, type SimulateOrderRequest } from './simulate.dto.ts';

/** Overrides the outcome of the simulated gateway and registrar for an order of this tenant. */
@Injectable()
export class SimulateOrder {
  constructor(private readonly db: Database) {}

  execute(caller: Caller, oldId: number, request: SimulateOrderRequest) {
    return this.db.transaction(async (tx) => {
      const row = found(await store.orders.lock(tx, { tenant: caller.tenant, old_id: oldId }));
      if (isUpstreamStep(request)) awaitStep(row, request.status);
      else {
        const asked = { status: request.status, failure_code: request.failure_code ?? null };
        await saveOrder(tx, simulateOutcome(row, asked, tx.now));
      }
      return caller.answer(tx, { old_id: oldId, status: request.status });
    });
  }
}

/** The order takes such a step by itself, as soon as it may (COMP-14). */
function isUpstreamStep(
  request: SimulateOrderRequest,
): request is Extract<SimulateOrderRequest, { status: (typeof UPSTREAM_ORDER_STEPS)[number] }> {
  return UPSTREAM_ORDER_STEPS.some((step) => step === request.status);
}
