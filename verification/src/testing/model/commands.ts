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

/** A command of fast-check that waits until all work is done, and then checks every rule. */
class Step implements fc.AsyncCommand<Model, ModelStage> {
  constructor(
    private readonly name: string,
    private readonly act: Run,
    private readonly needsPayment = true,
  ) {}

  check({ payments }: Readonly<Model>): boolean {
    return !this.needsPayment || payments.length > 0;
  }

  async run(model: Model, stage: ModelStage): Promise<void> {
    await this.act(model, stage);
    await stage.quiet();
    await expectRules(model, stage);
  }

  toString(): string {
    return this.name;
  }
}

const idsOf = (model: Model) => model.payments.map((payment) => payment.id);

async function expectRules(model: Model, stage: ModelStage): Promise<void> {
  const ids = idsOf(model);
  const known = { confirmed: model.confirmed, isLate: stage.isLate };
  if (ids.length > 0) expect(brokenRules(await factsOf(stage, ids), stage.world, known)).toEqual([]);
}

const which = fc.nat(2);
const step = (name: string, act: Run, needsPayment = true) => new Step(name, act, needsPayment);

const creations = fc
  .tuple(which, which, fc.constantFrom<Flow>('uri', 'collect', 'sdk'))
  .map(([a, b, flow]) => step(`create(${a}, ${b}, ${flow})`, create(a, b, flow), false));
const confirmations = which.map((n) => step(`confirm(${n})`, confirm(n), false));
const payments = fc
  .tuple(which, fc.constantFrom('0', '0', '0', '0', '1', '0.01'))
  .map(([n, extra]) => step(`pay(${n}, +${extra})`, pay(n, extra)));
const callbacks = fc
  .tuple(which, fc.nat(2), fc.boolean())
  .map(([n, capture, twice]) =>
    step(`reportCapture(${n}, ${capture}, ${twice})`, reportCapture(n, capture, twice)),
  );
const ends = fc
  .tuple(which, fc.constantFrom('settled' as const, 'settled' as const, 'rejected' as const), fc.boolean())
  .map(([n, end, isReported]) =>
    step(`endTransfer(${n}, ${end}, ${isReported})`, endTransfer(n, end, isReported)),
  );
const refunds = fc
  .tuple(which, fc.boolean())
  .map(([n, part]) => step(`refund(${n}, ${part})`, refund(n, part)));
const pages = which.map((n) => step(`openPage(${n})`, openPage(n)));
const tries = fc
  .tuple(which, fc.constantFrom('intent' as const, 'collect' as const, 'netbanking' as const))
  .map(([n, way]) => step(`tryOnPage(${n}, ${way})`, tryOnPage(n, way)));
const registrars = fc
  .tuple(which, fc.constantFrom('successful' as const, 'failed' as const, 'reversed' as const), fc.boolean())
  .map(([n, word, isReported]) =>
    step(`registrarSays(${n}, ${word}, ${isReported})`, registrarSays(n, word, isReported), false),
  );
/** A whole purchase in one command, so that the steps after the payment occur often enough. */
const purchases = fc
  .tuple(
    which,
    which,
    fc.constantFrom<Flow>('uri', 'collect', 'sdk'),
    fc.constantFrom<PurchaseEnd>('paid', 'settled', 'successful', 'reversed'),
  )
  .map(([a, b, flow, end]) =>
    step(`purchase(${a}, ${b}, ${flow}, ${end})`, purchase(a, b, flow, end), false),
  );
const pagePayments = which.map((n) => step(`payOnPage(${n})`, payOnPage(n), false));
const moods = fc
  .constantFrom<Mood>('well', 'well', 'well', 'silent', 'lost')
  .map((mood) => step(`mood(${mood})`, (_, { world }) => Promise.resolve(void (world.mood = mood)), false));
const clockSteps = fc
  .constantFrom(1, 1, 1, 6, 31, 13 * 60)
  .map((minutes) => step(`pass(${minutes})`, (_, stage) => stage.pass(minutes * MINUTE), false));

/** The minutes around 23:00 IST: orders that are paid and not confirmed by then are given up. */
const nights = fc
  .constantFrom(-30, -2, 1)
  .map((minutes) => step(`toTheNight(${minutes})`, (_, stage) => stage.toTheNight(minutes * MINUTE), false));
/** A page payment that is paid, and confirmed just before or just after 23:00. */
const latePurchases = fc
  .tuple(which, fc.constantFrom('before' as const, 'after' as const))
  .map(([n, when]) => step(`confirmedLate(${n}, ${when})`, confirmedLate(n, when), false));

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
  ...[refunds, which.map((n) => step(`decline(${n})`, decline(n)))],
  which.map((n) => step(`cancel(${n})`, cancel(n))),
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
