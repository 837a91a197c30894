import type { ProviderName } from '@fundrail/contracts';
import { cancelPayment, confirm, debit, registrarSays, settle, takeAfterAll } from './debit-acts.ts';
import { answerAuthorisation, authorise, cancelMandate, createMandate, meetCall } from './mandate-acts.ts';
import type { Way } from './mandate-acts.ts';
import type { Model, ModelMandate, Run } from './mandates-model.ts';
import type { MandatesStage } from './mandates-stage.ts';

const HOUR = 3_600_000;
/** The longest time from a submitted order to an attempt: a notice of 25 hours, or a long weekend, and the time to the next window. */
const MOST_HOURS_TO_ATTEMPT = 8 * 24;
/** A provider that does not answer is queried often; after this many due times the walk gives up. */
const MOST_HOPS = 20;

/** Runs acts one after another, and waits for all work after each. */
export async function inTurn(model: Model, stage: MandatesStage, acts: readonly Run[]): Promise<void> {
  for (const act of acts) {
    await act(model, stage);
    await stage.quiet();
  }
}

/** The way in which a mandate of that type is authorised at that provider. */
function wayOf(type: ModelMandate['type'], provider: ProviderName, way: Way): Way {
  if (type === 'E_MANDATE' || (provider === 'SDKVENDOR' && way === 'uri')) return 'sdk';
  return provider === 'GATEWAYPOA' && way === 'sdk' ? 'uri' : way;
}

/** A mandate that the investor is asked about. */
export function askedMandate(type: ModelMandate['type'], provider: ProviderName, way: Way): Run {
  return (model, stage) => {
    const index = model.mandates.length;
    const keeper = type === 'E_MANDATE' ? 'SDKVENDOR' : provider;
    return inTurn(model, stage, [
      createMandate(type, keeper, '5000', null),
      authorise(index, wayOf(type, provider, way)),
    ]);
  };
}

/** Creates a mandate and authorises it, so that it may be debited. */
export function approvedMandate(
  type: ModelMandate['type'],
  provider: ProviderName,
  way: Way,
  limit: string,
  days: number | null,
): Run {
  return async (model, stage) => {
    const index = model.mandates.length;
    await inTurn(model, stage, [
      createMandate(type, type === 'E_MANDATE' ? 'SDKVENDOR' : provider, limit, days),
      authorise(index, wayOf(type, provider, way)),
      async (_, { world }) => {
        // The newest request to the investor is the one for this mandate.
        const open = [...world.asked.values()].filter(({ status }) => status.status === 'waiting');
        if (open.length > 0) await answerAuthorisation(open.length - 1, 'approve', true)(model, stage);
      },
    ]);
  };
}

/** A debit with a submitted order, so that it runs. */
export function raisedDebit(mandate: number, order: number, way: 'nach' | 'internal'): Run {
  return (model, stage) => inTurn(model, stage, [debit(mandate, order, way), confirm(order)]);
}

/** A debit up to its first attempt, and the bank's result. */
export function triedDebit(
  mandate: number,
  order: number,
  end: 'paid' | 'insufficient_funds' | 'investor_bank_declined' | null,
): Run {
  return async (model, stage) => {
    const before = model.debits.length;
    await raisedDebit(mandate, order, 'nach')(model, stage);
    const made = model.debits[before];
    if (!made) return;
    await untilAttempt(stage, made.id);
    const attempt = [...stage.world.attempts.values()].find(
      ({ debit: { payment_id } }) => payment_id === made.id,
    );
    const isOpen = attempt?.captures.length === 0 && attempt.failure === null;
    if (end && attempt && isOpen) await settle(stage, attempt, end, true);
  };
}

/** What ends a debit after its notice and before an attempt. */
export type DebitStop = 'payment' | 'mandate' | 'order' | 'call';

/** A debit that is ended after its notice and before its attempt by the client, its mandate or its order, also at the last moment. */
export function stoppedDebit(mandate: number, order: number, stop: DebitStop): Run {
  return async (model, stage) => {
    const before = model.debits.length;
    await raisedDebit(mandate, order, 'nach')(model, stage);
    const made = model.debits[before];
    if (!made) return;
    const its = model.mandates.findIndex(({ id }) => id === made.mandate);
    if (stop === 'payment') return cancelPayment(before)(model, stage);
    if (stop === 'mandate') return cancelMandate(its)(model, stage);
    if (stop === 'order') return registrarSays(order, 'failed')(model, stage);
    await inTurn(model, stage, [
      meetCall(its, 'cancel', 'mandates.attempt_begun'),
      () => untilAttempt(stage, made.id),
    ]);
  };
}

/** A debit that the bank refuses, and captures after it has failed here. */
export function lateDebit(mandate: number, order: number): Run {
  return async (model, stage) => {
    const before = stage.world.attempts.size;
    await triedDebit(mandate, order, 'investor_bank_declined')(model, stage);
    await stage.quiet();
    const refused = [...stage.world.attempts.values()].slice(before);
    const failed = refused.find(({ failure }) => failure === 'investor_bank_declined');
    if (failed) await takeAfterAll(stage, failed, true);
  };
}

/** Moves the clock from due time to due time until the debit has its attempt of that number, or until nothing is due for it. */
export async function untilAttempt(stage: MandatesStage, payment: number, number = 1): Promise<void> {
  const end = stage.clock.now().getTime() + MOST_HOURS_TO_ATTEMPT * HOUR;
  for (let hops = 0; hops < MOST_HOPS && stage.clock.now().getTime() < end; hops += 1) {
    const isTried = [...stage.world.attempts.values()].some(
      ({ debit }) => debit.payment_id === payment && debit.attempt >= number,
    );
    const [next] = isTried ? [] : await stage.rows<{ due_at: Date }>('mandates', NEXT, [String(payment)]);
    if (!next) return;
    await stage.pass(Math.max(0, next.due_at.getTime() - stage.clock.now().getTime()));
  }
}

const NEXT = `SELECT due_at FROM due_work WHERE key = $1 AND (kind = 'debit.notify' OR kind LIKE 'debit.execute%') ORDER BY due_at LIMIT 1`;
