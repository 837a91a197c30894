import { waitFor } from '@fundrail/testing';
import { authorised, cancel, debit } from '../crash/mandate-walks.ts';
import { referenceOf } from '../model/invariants.ts';
import { RECOVERY, type DegradationStage } from './degradation-stage.ts';
import { whileAway } from './while-away.ts';

const WALK_LIMIT_MS = 300_000;
/** Longer than a call waits for its answer (5 s): the provider executes the debit after the caller has given up. */
const HANGS_MS = 8_000;
const AMOUNT = 2500;
const DEBIT = 'POST /gatewaypoa/debits';
const NOTICES = 'SELECT FROM debit_notices WHERE payment_reference = $1';
const DEBITS = 'SELECT status FROM provider_debits WHERE payment_reference = $1';
/**
 * At this speed the day between a notice and its debit takes 43 s of wall time, and a call that is given up takes three hours of
 * business time.
 */
const TO_THE_NEXT_DAY = 2_000;

/** A call without an answer may have moved money: it is queried, or repeated under its reference, and never sent as a new one. */
export function aDebitUnanswered(stage: () => DegradationStage): void {
  it(
    'given a provider that hangs when it is to debit, and mandates that is killed meanwhile, then the bank is debited once',
    async () => {
      const buyer = stage().newBuyer();
      const mandate = await authorised(buyer);
      const order = await buyer.payableOrder(AMOUNT);
      const payment = await debit(buyer, mandate, order);
      const reference = referenceOf(payment);
      await buyer.confirm([order]);
      await buyer.untilOrder(order, 'submitted');
      const { fleet, clock } = stage();
      // Until the investor has been notified: the debit comes next.
      clock.goAt(TO_THE_NEXT_DAY);
      const isNoticeSent = async () =>
        (await fleet.databases.rows('simulator', NOTICES, [reference])).length === 1;
      await waitFor(isNoticeSent, { ...RECOVERY, what: 'the notice of the debit' });
      clock.goAt(1);
      await stage().untilQuiet();
      const mandates = fleet.replica('mandates');
      const unanswered = () => stage().providerCalls('mandates', DEBIT, 'no_answer');
      const before = await unanswered();
      const look = async () => {
        clock.goAt(TO_THE_NEXT_DAY);
        const isGivenUp = async () => (await unanswered()) > before;
        await waitFor(isGivenUp, { ...RECOVERY, what: 'a debit that is given up' });
        clock.goAt(1);
        const status = (await buyer.payment(payment))['status'];
        await mandates.kill();
        await fleet.databases.endLeases();
        await mandates.start();
        return status;
      };
      const status = await whileAway(
        () => stage().takeProvider(HANGS_MS),
        () => stage().giveProviderBack(),
        look,
      );

      // The outcome is unknown, and the debit is not shown as failed.
      expect(status).toBe('PENDING');
      clock.goAt(300);
      await buyer.untilPayment(payment, 'APPROVED');
      await buyer.untilOrder(order, 'successful');
      clock.goAt(1);
      expect(await fleet.databases.rows('simulator', DEBITS, [reference])).toEqual([{ status: 'captured' }]);
      await cancel(buyer, mandate);
      expect([await stage().findings(), stage().ended]).toEqual([[], []]);
    },
    WALK_LIMIT_MS,
  );
}
