import type { ConformanceStage } from './conformance-stage.ts';
import { orderCallbacks, orderDisturbances, orderWalk } from './order-gateway.cases.ts';
import { moneyWalk, paymentDisturbances, paymentWalk } from './payment-provider.cases.ts';

export * from './conformance-stage.ts';
export { eventually } from './eventually.ts';

/**
 * What every adapter must do, whoever is behind it (architecture, rule 4): success, refusal, time-outs before and after the
 * effect, slow answers, words that nobody knows, duplicate and reordered callbacks, rupees and paise, one effect a key.
 */
export function providerConformance(name: string, start: () => Promise<ConformanceStage>): void {
  describe(name, () => {
    let stage: ConformanceStage;
    const current = () => stage;
    beforeAll(async () => {
      stage = await start();
    });
    afterAll(() => stage.end());

    describe('orders', () => orderWalk(current));
    describe('orders, when calls go wrong', () => orderDisturbances(current));
    describe('callbacks about orders', () => orderCallbacks(current));
    describe('payments', () => paymentWalk(current));
    describe('payments, when calls go wrong', () => paymentDisturbances(current));
    describe('transfers and refunds', () => moneyWalk(current));
  });
}
