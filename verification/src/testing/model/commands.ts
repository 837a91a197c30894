import { ModelCommands } from '@fundrail/testing/model';
import fc from 'fast-check';
import { brokenRules } from './invariants.ts';
import { factsOf } from './model-facts.ts';
import type { ModelStage } from './model-stage.ts';
import type { Model, Run } from './model.ts';
import { openPage, registrarSays, tryOnPage } from './outside-acts.ts';
import type { Mood } from './outside-world.ts';
import { confirmedLate, payOnPage, purchase, type PurchaseEnd } from './walks.ts';
import { cancel, confirm, create, decline, endTransfer, pay, refund, reportCapture } from './payment-acts.ts';
import type { Flow } from './payment-acts.ts';

const MINUTE = 60_000;

const idsOf = (model: Model) => model.payments.map((payment) => payment.id);

async function expectRules(model: Model, stage: ModelStage): Promise<void> {
  const ids = idsOf(model);
  const known = { confirmed: model.confirmed, isLate: stage.isLate };
  if (ids.length > 0) expect(brokenRules(await factsOf(stage, ids), stage.world, known)).toEqual([]);
}

const which = fc.nat(2);
const commands = new ModelCommands<Model, ModelStage>(async (model, stage) => {
  await stage.quiet();
  await expectRules(model, stage);
});
const hasPayment = ({ payments }: Readonly<Model>) => payments.length > 0;

const flows = fc.constantFrom<Flow>('uri', 'collect', 'sdk');
const creations = commands.of(create, [which, which, flows]);
const confirmations = commands.of(confirm, [which]);
const payments = commands.of(pay, [which, fc.constantFrom('0', '0', '0', '0', '1', '0.01')], hasPayment);
const callbacks = commands.of(reportCapture, [which, fc.nat(2), fc.boolean()], hasPayment);
const transferEnds = fc.constantFrom('settled' as const, 'settled' as const, 'rejected' as const);
const ends = commands.of(endTransfer, [which, transferEnds, fc.boolean()], hasPayment);
const refunds = commands.of(refund, [which, fc.boolean()], hasPayment);
const pages = commands.of(openPage, [which], hasPayment);
const pageWays = fc.constantFrom('intent' as const, 'collect' as const, 'netbanking' as const);
const tries = commands.of(tryOnPage, [which, pageWays], hasPayment);
const words = fc.constantFrom('successful' as const, 'failed' as const, 'reversed' as const);
const registrars = commands.of(registrarSays, [which, words, fc.boolean()]);
/** A whole purchase in one command, so that the steps after the payment occur often enough. */
const purchaseEnds = fc.constantFrom<PurchaseEnd>('paid', 'settled', 'successful', 'reversed');
const purchases = commands.of(purchase, [which, which, flows, purchaseEnds]);
const pagePayments = commands.of(payOnPage, [which]);
const moods = commands.of(mood, [fc.constantFrom<Mood>('well', 'well', 'well', 'silent', 'lost')]);
const clockSteps = commands.of(pass, [fc.constantFrom(1, 1, 1, 6, 31, 13 * 60)]);
/** The minutes around 23:00 IST: orders that are paid and not confirmed by then are given up. */
const nights = commands.of(toTheNight, [fc.constantFrom(-30, -2, 1)]);
/** A page payment that is paid, and confirmed just before or just after 23:00. */
const latePurchases = commands.of(confirmedLate, [which, fc.constantFrom('before', 'after')]);

function mood(mood: Mood): Run {
  return (_, { world }) => Promise.resolve(void (world.mood = mood));
}

function pass(minutes: number): Run {
  return (_, stage) => stage.pass(minutes * MINUTE);
}

function toTheNight(minutes: number): Run {
  return (_, stage) => stage.toTheNight(minutes * MINUTE);
}

/** The commands for late events: more of those that happen just before the deadline. */
export const LATE_COMMANDS = (): fc.Arbitrary<fc.AsyncCommand<Model, ModelStage>>[] => [
  ...COMMANDS,
  ...[nights, nights, nights, latePurchases, latePurchases, latePurchases],
];

/** Every command with its choices; the usual ones more often, so that sequences get far. */
export const COMMANDS: fc.Arbitrary<fc.AsyncCommand<Model, ModelStage>>[] = [
  ...[creations, creations, creations, confirmations, confirmations, confirmations, confirmations],
  ...[payments, payments, payments, callbacks, callbacks, callbacks, ends, ends, clockSteps, moods],
  ...[pages, tries, tries, registrars, registrars, registrars, purchases, purchases, pagePayments],
  ...[refunds, commands.of(decline, [which], hasPayment), commands.of(cancel, [which], hasPayment)],
];

/** The outside systems answer again and days pass, until everything under way has ended and no money is held. */
export async function comeToRest(model: Model, stage: ModelStage): Promise<void> {
  stage.world.mood = 'well';
  for (const hours of [1, 1, 24, 24, 24, 24]) {
    for (const transfer of stage.world.transfers.values())
      if (transfer.status === 'waiting') transfer.status = 'settled';
    await stage.pass(hours * 60 * MINUTE);
  }
  await expectRules(model, stage);
  const open = await stage.rows(
    'payments',
    `SELECT p.id, p.status FROM payments p WHERE id = ANY($1) AND (status NOT IN ('APPROVED', 'FAILED', 'REJECTED')
       OR EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.status = 'CREATED'))`,
    [idsOf(model)],
  );
  expect(open).toEqual([]);
}
