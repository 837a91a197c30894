import type { PaymentFailureCode } from '@fundrail/contracts';
import { ModelCommands } from '@fundrail/testing/model';
import fc from 'fast-check';
import type { MandateMood } from './mandates-world.ts';
import {
  cancelOrder,
  cancelPayment,
  captureMore,
  confirm,
  debit,
  endDebit,
  endTransfer,
  reportNotice,
  registrarSays,
} from './debit-acts.ts';
import type { DebitEnd } from './debit-acts.ts';
import {
  answerAuthorisation,
  authorise,
  cancelMandate,
  changeAtProvider,
  createMandate,
  deliver,
  meetCall,
} from './mandate-acts.ts';
import type { Answer, AtProvider, Way } from './mandate-acts.ts';
import type { Model, ModelMandate, Run } from './mandates-model.ts';
import type { MandatesStage } from './mandates-stage.ts';
import { surplusToken, unluckyDebit, type DebitFate } from './mandates-scenes.ts';
import { expectRules } from './mandates-step.ts';
import {
  approvedMandate,
  askedMandate,
  lateDebit,
  raisedDebit,
  stoppedDebit,
  triedDebit,
} from './mandates-walks.ts';
import type { DebitStop } from './mandates-walks.ts';

const MINUTE = 60_000;

const commands = new ModelCommands<Model, MandatesStage>(async (model, stage) => {
  await stage.quiet();
  await expectRules(model, stage);
});
const hasMandate = ({ mandates }: Readonly<Model>) => mandates.length > 0;
const hasDebit = ({ debits }: Readonly<Model>) => debits.length > 0;

const which = fc.nat(2);
const types = fc.constantFrom<ModelMandate['type']>('UPI', 'UPI', 'UPI', 'E_MANDATE');
const providers = fc.constantFrom('GATEWAYPOA' as const, 'GATEWAYPOA' as const, 'SDKVENDOR' as const);
const ways = fc.constantFrom<Way>('uri', 'collect', 'sdk');
/** Each order is over 1000 rupees. */
const limits = fc.constantFrom('5000', '1000', '1000', '999.99');
const days = fc.constantFrom(null, null, null, 0, 1, 3);
const reported = fc.constantFrom(true, true, false);
const debitWays = fc.constantFrom('nach' as const, 'internal' as const);

const creations = commands.of(createMandate, [types, providers, limits, days]);
const authorisations = commands.of(authorise, [which, ways], hasMandate);
const answersOfInvestors = fc.constantFrom<Answer>(
  ...(['approve', 'approve', 'approve', 'refuse', 'reject', 'receive', 'submit'] as const),
);
const answers = commands.of(answerAuthorisation, [which, answersOfInvestors, reported], hasMandate);
const moves = fc.constantFrom<AtProvider>('pause', 'pause', 'resume', 'resume', 'revoke', 'expire');
const changes = commands.of(changeAtProvider, [which, moves, reported], hasMandate);
const deliveries = commands.of(deliver, [fc.nat(5), fc.boolean()], hasMandate);
const cancellations = commands.of(cancelMandate, [which], hasMandate);
const debits = commands.of(debit, [which, which, debitWays], hasMandate);
const confirmations = commands.of(confirm, [which], hasDebit);
const orderCancels = commands.of(cancelOrder, [which], hasDebit);
const paymentCancels = commands.of(cancelPayment, [fc.nat(4)], hasMandate);
const results = fc.constantFrom<DebitEnd>(
  ...(['paid', 'paid', 'insufficient_funds', 'bank_downtime', 'investor_bank_declined'] as const),
);
const ends = commands.of(endDebit, [which, results, reported], hasDebit);
const moreMoney = commands.of(captureMore, [which, fc.constantFrom('twice', 'late'), reported], hasDebit);
const notices = commands.of(reportNotice, [which, fc.constantFrom('delivered', 'failed')], hasDebit);
const transferEnds = fc.constantFrom('settled' as const, 'settled' as const, 'rejected' as const);
const transfers = commands.of(endTransfer, [which, transferEnds], hasDebit);
const registrars = commands.of(registrarSays, [which, fc.constantFrom('successful', 'failed')], hasDebit);

const approvals = commands.of(approvedMandate, [types, providers, ways, limits, days]);
const questions = commands.of(askedMandate, [types, providers, ways]);
const raised = commands.of(raisedDebit, [which, which, debitWays], hasMandate);
const triedEnds = fc.constantFrom('paid' as const, 'insufficient_funds' as const, null);
const tried = commands.of(triedDebit, [which, which, triedEnds], hasMandate);
const stops = fc.constantFrom<DebitStop>('payment', 'mandate', 'order', 'call');
const stopped = commands.of(stoppedDebit, [which, which, stops], hasMandate);
const late = commands.of(lateDebit, [which, which], hasMandate);
const fates = fc.constantFrom<DebitFate>('unanswered', 'poor', 'refused', 'twice');
const unlucky = commands.of(unluckyDebit, [which, which, fates], hasMandate);
const surplus = commands.of(surplusToken, []);

const moods = commands.of(mood, [
  fc.constantFrom<MandateMood>('well', 'well', 'well', 'silent', 'lost', 'slow', 'busy'),
]);
const refusals = commands.of(
  refuse,
  [fc.constantFrom('insufficient_funds', 'bank_downtime', 'investor_bank_declined')],
  hasDebit,
);
const moments = fc.constantFrom('mandates.notice_begun' as const, 'mandates.attempt_begun' as const);
const meetings = commands.of(meetCall, [which, fc.constantFrom('cancel', 'pause'), moments], hasDebit);
const PATHS = [/mandates\/debits\/cancel/, /mandates\/debits/, /authorisations/, /claims/, /resolve/];
const troubles = commands.of(trouble, [
  ...([fc.constantFrom(...PATHS), fc.constantFrom('silent', 'lost'), fc.constantFrom(1, 2, 4)] as const),
]);
const POINTS = [
  'mandates.notice_begun',
  'mandates.notice_answered',
  'mandates.notified',
  'mandates.attempt_begun',
  'mandates.attempt_answered',
  'mandates.attempt_applied',
  'mandates.debit.cancelled',
  'payments.debit_admitted',
  'payments.claimed',
  'mandates.cancel.before_commit',
  'mandates.revoke.called',
];
const breaks = commands.of(breakAt, [fc.constantFrom(...POINTS)]);
const restarts = commands.of(restart, [fc.constantFrom('payments', 'mandates')]);
const clockSteps = commands.of(pass, [fc.constantFrom(1, 1, 6, 61, 6 * 60, 12 * 60, 25 * 60, 3 * 24 * 60)]);
const dueSteps = commands.of(toDue, [fc.constantFrom(0, 0, 0, -1, 1)], hasDebit);

function atOnce(act: (stage: MandatesStage) => unknown): Run {
  return (_, stage) => Promise.resolve(void act(stage));
}

function mood(mood: MandateMood): Run {
  return atOnce(({ world }) => world.become(mood));
}

/** The provider refuses the next notice or execution. */
function refuse(code: PaymentFailureCode): Run {
  return atOnce(({ world }) => (world.refusal = code));
}

function trouble(path: RegExp, kind: 'silent' | 'lost', times: number): Run {
  return atOnce(({ neighbours }) => neighbours.makeTrouble(path, kind, times));
}

/** One failure at that fault point. */
function breakAt(point: string): Run {
  return atOnce((stage) => stage.breakOnce(point));
}

function restart(name: 'payments' | 'mandates'): Run {
  return (_, stage) => stage.restart(name);
}

function pass(minutes: number): Run {
  return (_, stage) => stage.pass(minutes * MINUTE);
}

/** Moves the clock to the next due time, or to that many minutes before or after it. */
function toDue(minutes: number): Run {
  return async (_, stage) => {
    const now = stage.clock.now().getTime();
    const next = await stage.nextDebitDue();
    if (next) await stage.pass(Math.max(0, next.getTime() - now + minutes * MINUTE));
  };
}

/** Every command with its choices; the usual ones more often, so that sequences get far. */
export const COMMANDS = [
  ...[creations, authorisations, authorisations, answers, answers, changes, changes, deliveries, deliveries],
  ...[cancellations, debits, confirmations, confirmations, orderCancels, paymentCancels],
  ...[ends, ends, ends, moreMoney, notices, transfers, registrars],
  ...[approvals, questions, questions, raised, raised, tried, tried, tried, stopped, stopped, late],
  ...[unlucky, surplus],
  ...[moods, moods, refusals, meetings, meetings, troubles, breaks, restarts],
  ...[clockSteps, clockSteps, dueSteps, dueSteps, dueSteps, dueSteps],
];

const approved = (...of: Parameters<typeof approvedMandate>) =>
  commands.one('approvedMandate', approvedMandate(...of));
const AUTOPAY = approved('UPI', 'GATEWAYPOA', 'uri', '5000', null);
/** What happens before a sequence: nothing, or enough steps that most commands have something to do. */
export const PRELUDES: readonly (readonly (typeof AUTOPAY)[])[] = [
  [],
  [AUTOPAY],
  [AUTOPAY, commands.one('raisedDebit', raisedDebit(0, 0, 'nach'))],
  [AUTOPAY, commands.one('triedDebit', triedDebit(0, 0, null))],
  [approved('UPI', 'SDKVENDOR', 'collect', '1000', null)],
  [
    approved('E_MANDATE', 'SDKVENDOR', 'sdk', '5000', null),
    commands.one('raisedDebit', raisedDebit(0, 0, 'internal')),
  ],
  [AUTOPAY, commands.one('stoppedDebit(payment)', stoppedDebit(0, 0, 'payment'))],
  [AUTOPAY, commands.one('stoppedDebit(call)', stoppedDebit(0, 0, 'call'))],
  [AUTOPAY, commands.one('lateDebit', lateDebit(0, 0))],
  ...(['unanswered', 'poor', 'refused', 'twice'] as const).map((fate) => [
    AUTOPAY,
    commands.one(`unluckyDebit(${fate})`, unluckyDebit(0, 0, fate)),
  ]),
  [commands.one('surplusToken', surplusToken())],
];
