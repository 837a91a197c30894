import {
  authorisationCallbacks,
  authorisationCancellations,
  authorisationCollectWalk,
  authorisationDisturbances,
  authorisationWalk,
} from './authorisation.cases.ts';
import { collectWalk } from './collect.cases.ts';
import type { ConformanceStage, PaymentStage } from './conformance-stage.ts';
import { debitCallbacks, debitDisturbances, debitRefusals, debitWalk, noticeWalk } from './debit.cases.ts';
import { noticeRepeats, overtakenDebits } from './debit-repeats.cases.ts';
import { mandateRevocations, mandateWalk } from './mandate.cases.ts';
import type { MandateStage } from './mandate-stage.ts';
import { orderCallbacks, orderDisturbances, orderReports, orderWalk } from './order-gateway.cases.ts';
import { callbackDisturbances, paymentCallbacks } from './payment-callback.cases.ts';
import { paymentDisturbances, paymentRefusals, paymentWalk } from './payment-provider.cases.ts';
import { refundDisturbances, refundWalk } from './refund.cases.ts';
import { transferWalk } from './transfer.cases.ts';

export * from './conformance-stage.ts';
export * from './mandate-stage.ts';
export { eventually } from './eventually.ts';
export { thirdpay, ThirdpayServer } from './thirdpay/index.ts';

/** What every order gateway's adapter must do. */
export function orderGatewayConformance(name: string, start: () => Promise<ConformanceStage>): void {
  onStage(`${name} as an order gateway (GATE-1)`, start, (stage) => {
    describe('orders', () => orderWalk(stage));
    describe('reports about orders', () => orderReports(stage));
    describe('orders, when calls go wrong', () => orderDisturbances(stage));
    describe('callbacks about orders', () => orderCallbacks(stage));
  });
}

/**
 * What every payment provider's adapter must do (GATE-12): success, refusal, time-outs before and after the effect, slow answers,
 * unknown words, duplicate and reordered callbacks, rupees and paise, one effect per key.
 */
export function paymentProviderConformance(name: string, start: () => Promise<PaymentStage>): void {
  onStage(`${name} as a payment provider (GATE-10, GATE-11)`, start, (stage) => {
    describe('payments', () => paymentWalk(stage));
    describe('payments that are refused', () => paymentRefusals(stage));
    describe('payments, when calls go wrong', () => paymentDisturbances(stage));
    describe('collect requests', () => collectWalk(stage));
    describe('callbacks about payments', () => paymentCallbacks(stage));
    describe('callbacks that go wrong', () => callbackDisturbances(stage));
    describe('refunds', () => refundWalk(stage));
    describe('refunds, when calls go wrong', () => refundDisturbances(stage));
  });
}

/** What the order gateway must do with money from any provider. */
export function transferConformance(name: string, start: () => Promise<ConformanceStage>): void {
  onStage(`the money of ${name} at the order gateway`, start, (stage) => {
    describe('transfers', () => transferWalk(stage));
  });
}

/**
 * What every adapter with mandates must do (GATE-11): authorisations by URI and VPA, the mandate's life, debits with their
 * notices, refusals, and the same disturbances as for payments, one effect per reference.
 */
export function mandateConformance(name: string, start: () => Promise<MandateStage>): void {
  onStage(`${name} as a provider of mandates (GATE-10, GATE-11)`, start, (stage) => {
    describe('authorisations', () => authorisationWalk(stage));
    describe('authorisations that are taken back', () => authorisationCancellations(stage));
    describe('authorisations at a VPA', () => authorisationCollectWalk(stage));
    describe('authorisations, when calls go wrong', () => authorisationDisturbances(stage));
    describe('callbacks about authorisations', () => authorisationCallbacks(stage));
    describe('mandates', () => mandateWalk(stage));
    describe('mandates that we end', () => mandateRevocations(stage));
    describe('debits', () => debitWalk(stage));
    describe('notices of debits', () => noticeWalk(stage));
    describe('repeated notices', () => noticeRepeats(stage));
    describe('debits that are refused', () => debitRefusals(stage));
    describe('debits, when calls go wrong', () => debitDisturbances(stage));
    describe('debits whose calls are overtaken', () => overtakenDebits(stage));
    describe('callbacks about debits', () => debitCallbacks(stage));
  });
}

function onStage<S extends { end(): Promise<void> }>(
  name: string,
  start: () => Promise<S>,
  cases: (stage: () => S) => void,
): void {
  describe(name, () => {
    let stage: S;
    beforeAll(async () => {
      stage = await start();
    });
    afterAll(() => stage.end());
    cases(() => stage);
  });
}
