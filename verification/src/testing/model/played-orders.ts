import { Decimal } from '@fundrail/contracts';
import { ORDER_GATEWAY, ordersConfig, ordersService, ordersWiring } from '@fundrail/orders';
import { UnreadableCallback } from '@fundrail/providers';
import type { GatewayOrderStatus, OrderGateway, RegistrarResult } from '@fundrail/providers';
import type { ServiceDefinition } from '@fundrail/service-kit';
import { NOT_FOUND, yes } from '@fundrail/testing';
import { Module } from '@nestjs/common';
import type { OutsideWorld, RegistrarWord } from './outside-world.ts';

/** Inserts $1 payable orders over that many rupees each; `n` is the order's number. The rest: account, investor, time. */
export function insertPayable(amount: string): string {
  return `
  INSERT INTO mf_orders (old_id, id, tenant, kind, mf_investment_account, investor_profile, scheme, state, type, amount, gateway,
    consent, created_at, review_completed_at, event_seq)
  SELECT n, 'mfp_' || lpad(to_hex(n), 32, '0'), 'demo', 'purchase', $2, $3, 'INF173K01FE6', 'pending', 'fresh', ${amount}, 'gatewaypoa',
    '{"email":"investor@example.com","isd_code":null,"mobile":null}', $4, $4, 3
  FROM (SELECT nextval('mf_orders_old_id_seq') AS n FROM generate_series(1, $1::int)) AS numbers RETURNING old_id, id`;
}

/** The real orders over that gateway. */
export function playedOrders(world: OutsideWorld): ServiceDefinition {
  const orders = ordersWiring({ provide: ORDER_GATEWAY, useValue: playedOrderGateway(world) });
  @Module({ ...orders, providers: [ordersConfig, ...(orders.providers ?? [])] })
  class PlayedOrders {}
  return { ...ordersService, module: PlayedOrders };
}

/** Accepts every order; the test decides what the registrar reports about it. */
function playedOrderGateway(world: OutsideWorld): OrderGateway {
  return {
    requestReview: () => world.answer(() => yes(null)),
    submit: ({ reference }) =>
      world.answer(() => {
        if (!world.orders.has(reference)) world.orders.set(reference, 'waiting');
        return yes({ order_reference: 'REF' });
      }),
    status: (reference) =>
      world.answer(() => {
        const word = world.orders.get(reference);
        return word ? yes(orderStatusOf(word)) : NOT_FOUND;
      }),
    readCallback: (_, rawBody) => {
      const [, event_id = '', reference = ''] = /^\["(\w+)","(\w+)"\]$/.exec(rawBody) ?? [];
      const word = world.orders.get(reference);
      if (!word) throw new UnreadableCallback(rawBody);
      return { event_id, reference, status: orderStatusOf(word) };
    },
  };
}

function orderStatusOf(word: RegistrarWord): GatewayOrderStatus {
  const taken = {
    review: { result: 'passed' },
    submission: { result: 'accepted', order_reference: 'REF' },
  } as const;
  switch (word) {
    case 'waiting':
      return { ...taken, outcome: { result: 'waiting' } };
    case 'successful':
      return { ...taken, outcome: { result: 'successful', details: ALLOTTED } };
    case 'failed':
      return { ...taken, outcome: { result: 'failed', failure_code: 'registrar_refused' } };
    case 'reversed':
      return { ...taken, outcome: { result: 'reversed', failure_code: null } };
    default:
      return word satisfies never;
  }
}

const ALLOTTED: RegistrarResult = {
  traded_on: '2026-12-21',
  units: Decimal.parse('10'),
  amount: Decimal.parse('1000'),
  price: Decimal.parse('100'),
  folio_number: '1/1',
};
