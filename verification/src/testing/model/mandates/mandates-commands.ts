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
import { step, type Step } from './mandates-step.ts';
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

const which = fc.nat(2);
const types = fc.constantFrom<ModelMandate['type']>('UPI', 'UPI', 'UPI', 'E_MANDATE');
const providers = fc.constantFrom('GATEWAYPOA' as const, 'GATEWAYPOA' as const, 'SDKVENDOR' as const);
const ways = fc.constantFrom<Way>('uri', 'collect', 'sdk');
/** Each order is over 1000 rupees. */
const limits = fc.constantFrom('5000', '1000', '1000', '999.99');
const days = fc.constantFrom(null, null, null, 0, 1, 3);
const reported = fc.constantFrom(true, true, false);
type Commands = fc.Arbitrary<fc.AsyncCommand<Model, MandatesStage>>;

function atOnce(act: (stage: MandatesStage) => unknown): Run {
  return (_, stage) => {
    act(stage);
    return Promise.resolve();
  };
}

const creations: Commands = fc
  .tuple(types, providers, limits, days)
  .map((of) => step(`createMandate(${of.join(', ')})`, createMandate(...of)));
const authorisations: Commands = fc
  .tuple(which, ways)
  .map((of) => step(`authorise(${of.join(', ')})`, authorise(...of), 'mandate'));
const answers: Commands = fc
  .tuple(
    which,
    fc.constantFrom<Answer>('approve', 'approve', 'approve', 'refuse', 'reject', 'receive', 'submit'),
    reported,
  )
  .map((of) => step(`answer(${of.join(', ')})`, answerAuthorisation(...of), 'mandate'));
const changes: Commands = fc
  .tuple(
    which,
    fc.constantFrom<AtProvider>('pause', 'pause', 'resume', 'resume', 'revoke', 'expire'),
    reported,
  )
  .map((of) => step(`atProvider(${of.join(', ')})`, changeAtProvider(...of), 'mandate'));
const deliveries: Commands = fc
  .tuple(fc.nat(5), fc.boolean())
  .map((of) => step(`deliver(${of.join(', ')})`, deliver(...of), 'mandate'));
const cancellations: Commands = which.map((n) => step(`cancelMandate(${n})`, cancelMandate(n), 'mandate'));
const debits: Commands = fc
  .tuple(which, which, fc.constantFrom('nach' as const, 'internal' as const))
  .map((of) => step(`debit(${of.join(', ')})`, debit(...of), 'mandate'));
const confirmations: Commands = which.map((n) => step(`confirm(${n})`, confirm(n), 'debit'));
const orderCancels: Commands = which.map((n) => step(`cancelOrder(${n})`, cancelOrder(n), 'debit'));
const paymentCancels: Commands = fc
  .nat(4)
  .map((n) => step(`cancelPayment(${n})`, cancelPayment(n), 'mandate'));
const ends: Commands = fc
  .tuple(
    which,
    fc.constantFrom<DebitEnd>(
      'paid',
      'paid',
      'insufficient_funds',
      'bank_downtime',
      'investor_bank_declined',
    ),
    reported,
  )
  .map((of) => step(`endDebit(${of.join(', ')})`, endDebit(...of), 'debit'));
const moreMoney: Commands = fc
  .tuple(which, fc.constantFrom('twice' as const, 'late' as const), reported)
  .map((of) => step(`captureMore(${of.join(', ')})`, captureMore(...of), 'debit'));
const notices: Commands = fc
  .tuple(which, fc.constantFrom('delivered' as const, 'failed' as const))
  .map((of) => step(`reportNotice(${of.join(', ')})`, reportNotice(...of), 'debit'));
const transfers: Commands = fc
  .tuple(which, fc.constantFrom('settled' as const, 'settled' as const, 'rejected' as const))
  .map((of) => step(`endTransfer(${of.join(', ')})`, endTransfer(...of), 'debit'));
const registrars: Commands = fc
  .tuple(which, fc.constantFrom('successful' as const, 'failed' as const))
  .map((of) => step(`registrarSays(${of.join(', ')})`, registrarSays(...of), 'debit'));

const approvals: Commands = fc
  .tuple(types, providers, ways, limits, days)
  .map((of) => step(`approvedMandate(${of.join(', ')})`, approvedMandate(...of)));
const questions: Commands = fc
  .tuple(types, providers, ways)
  .map((of) => step(`askedMandate(${of.join(', ')})`, askedMandate(...of)));
const raised: Commands = fc
  .tuple(which, which, fc.constantFrom('nach' as const, 'internal' as const))
  .map((of) => step(`raisedDebit(${of.join(', ')})`, raisedDebit(...of), 'mandate'));
const tried: Commands = fc
  .tuple(which, which, fc.constantFrom('paid' as const, 'insufficient_funds' as const, null))
  .map((of) => step(`triedDebit(${of.join(', ')})`, triedDebit(...of), 'mandate'));
const stopped: Commands = fc
  .tuple(which, which, fc.constantFrom<DebitStop>('payment', 'mandate', 'order', 'call'))
  .map((of) => step(`stoppedDebit(${of.join(', ')})`, stoppedDebit(...of), 'mandate'));
const late: Commands = fc
  .tuple(which, which)
  .map((of) => step(`lateDebit(${of.join(', ')})`, lateDebit(...of), 'mandate'));
const unlucky: Commands = fc
  .tuple(which, which, fc.constantFrom<DebitFate>('unanswered', 'poor', 'refused', 'twice'))
  .map((of) => step(`unluckyDebit(${of.join(', ')})`, unluckyDebit(...of), 'mandate'));
const surplus: Commands = fc.constant(step('surplusToken()', surplusToken()));

const moods: Commands = fc
  .constantFrom<MandateMood>('well', 'well', 'well', 'silent', 'lost', 'slow', 'busy')
  .map((mood) =>
    step(
      `mood(${mood})`,
      atOnce(({ world }) => world.become(mood)),
    ),
  );
const refusals: Commands = fc
  .constantFrom('insufficient_funds' as const, 'bank_downtime' as const, 'investor_bank_declined' as const)
  .map((code) =>
    step(
      `refuse(${code})`,
      atOnce(({ world }) => (world.refusal = code)),
      'debit',
    ),
  );
const meetings: Commands = fc
  .tuple(
    which,
    fc.constantFrom('cancel' as const, 'pause' as const),
    fc.constantFrom('mandates.notice_begun' as const, 'mandates.attempt_begun' as const),
  )
  .map((of) => step(`meetCall(${of.join(', ')})`, meetCall(...of), 'debit'));
const PATHS = [/mandates\/debits\/cancel/, /mandates\/debits/, /authorisations/, /claims/, /resolve/];
const troubles: Commands = fc
  .tuple(
    fc.constantFrom(...PATHS),
    fc.constantFrom('silent' as const, 'lost' as const),
    fc.constantFrom(1, 2, 4),
  )
  .map(([path, kind, times]) =>
    step(
      `trouble(${path.source}, ${kind}, ${times})`,
      atOnce(({ neighbours }) => neighbours.makeTrouble(path, kind, times)),
    ),
  );
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
/** One failure at that fault point. */
const breaks: Commands = fc.constantFrom(...POINTS).map((point) =>
  step(
    `breakAt(${point})`,
    atOnce((stage) => stage.breakOnce(point)),
  ),
);
const restarts: Commands = fc
  .constantFrom('payments' as const, 'mandates' as const)
  .map((name) => step(`restart(${name})`, (_, stage) => stage.restart(name)));

const clockSteps: Commands = fc
  .constantFrom(1, 1, 6, 61, 6 * 60, 12 * 60, 25 * 60, 3 * 24 * 60)
  .map((minutes) => step(`pass(${minutes})`, (_, stage) => stage.pass(minutes * MINUTE)));
/** Moves the clock to the next due time, or to a moment before or after it. */
const dueSteps: Commands = fc.constantFrom(0, 0, 0, -1, 1).map((minutes) =>
  step(
    `toDue(${minutes})`,
    async (_, stage) => {
      const now = stage.clock.now().getTime();
      const next = await stage.nextDebitDue();
      if (next) await stage.pass(Math.max(0, next.getTime() - now + minutes * MINUTE));
    },
    'debit',
  ),
);

/** Every command with its choices; the usual ones more often, so that sequences get far. */
export const COMMANDS: Commands[] = [
  ...[creations, authorisations, authorisations, answers, answers, changes, changes, deliveries, deliveries],
  ...[cancellations, debits, confirmations, confirmations, orderCancels, paymentCancels],
  ...[ends, ends, ends, moreMoney, notices, transfers, registrars],
  ...[approvals, questions, questions, raised, raised, tried, tried, tried, stopped, stopped, late],
  ...[unlucky, surplus],
  ...[moods, moods, refusals, meetings, meetings, troubles, breaks, restarts],
  ...[clockSteps, clockSteps, dueSteps, dueSteps, dueSteps, dueSteps],
];

const AUTOPAY = step('approvedMandate(UPI)', approvedMandate('UPI', 'GATEWAYPOA', 'uri', '5000', null));
/** What happens before a sequence: nothing, or enough steps that most commands have something to do. */
export const PRELUDES: readonly (readonly Step[])[] = [
  [],
  [AUTOPAY],
  [AUTOPAY, step('raisedDebit', raisedDebit(0, 0, 'nach'))],
  [AUTOPAY, step('triedDebit', triedDebit(0, 0, null))],
  [step('approvedMandate(UPI)', approvedMandate('UPI', 'SDKVENDOR', 'collect', '1000', null))],
  [
    step('approvedMandate(E_MANDATE)', approvedMandate('E_MANDATE', 'SDKVENDOR', 'sdk', '5000', null)),
    step('raisedDebit', raisedDebit(0, 0, 'internal')),
  ],
  [AUTOPAY, step('stoppedDebit(payment)', stoppedDebit(0, 0, 'payment'))],
  [AUTOPAY, step('stoppedDebit(call)', stoppedDebit(0, 0, 'call'))],
  [AUTOPAY, step('lateDebit', lateDebit(0, 0))],
  ...(['unanswered', 'poor', 'refused', 'twice'] as const).map((fate) => [
    AUTOPAY,
    step(`unluckyDebit(${fate})`, unluckyDebit(0, 0, fate)),
  ]),
  [step('surplusToken', surplusToken())],
];
