import { collectWalk } from './collect.cases.ts';
import type { ConformanceStage } from './conformance-stage.ts';
import { orderCallbacks, orderDisturbances, orderWalk } from './order-gateway.cases.ts';
import { refundWalk, transferWalk } from './money.cases.ts';
import { callbackDisturbances, paymentCallbacks } from './payment-callback.cases.ts';
import { paymentDisturbances, paymentWalk } from './payment-provider.cases.ts';

export * from './conformance-stage.ts';
export { eventually } from './eventually.ts';

/** What every order gateway's adapter must do, whoever is behind it. */
export function orderGatewayConformance(name: string, start: () => Promise<ConformanceStage>): void {
  onStage(`${name} as an order gateway`, start, (stage) => {
    describe('orders', () => orderWalk(stage));
    describe('orders, when calls go wrong', () => orderDisturbances(stage));
    describe('callbacks about orders', () => orderCallbacks(stage));
  });
}

/**
 * What every payment provider's adapter must do, whoever is behind it (architecture, rule 4): success, refusal, time-outs
 * before and after the effect, slow answers, words that nobody knows, duplicate and reordered callbacks, rupees and paise,
 * one effect a key. The transfers are the order gateway's, whoever collected the money.
 */
export function paymentProviderConformance(name: string, start: () => Promise<ConformanceStage>): void {
  onStage(`${name} as a payment provider`, start, (stage) => {
    describe('payments', () => paymentWalk(stage));
    describe('payments, when calls go wrong', () => paymentDisturbances(stage));
    describe('collect requests', () => collectWalk(stage));
    describe('callbacks about payments', () => paymentCallbacks(stage));
    describe('callbacks that go wrong', () => callbackDisturbances(stage));
    describe('transfers', () => transferWalk(stage));
    describe('refunds', () => refundWalk(stage));
  });
}

function onStage(
  name: string,
  start: () => Promise<ConformanceStage>,
  cases: (stage: () => ConformanceStage) => void,
): void {
  describe(name, () => {
    let stage: ConformanceStage;
    beforeAll(async () => {
      stage = await start();
    });
    afterAll(() => stage.end());
    cases(() => stage);
  });
}
