import { cancelPayment, settle, takeAfterAll } from './debit-acts.ts';
import { answerAuthorisation, authorise, createMandate } from './mandate-acts.ts';
import type { Model, Run } from './mandates-model.ts';
import type { MandatesStage } from './mandates-stage.ts';
import { inTurn, raisedDebit, triedDebit, untilAttempt } from './mandates-walks.ts';

const MINUTE = 60_000;
/** The pauses in which the silent provider is queried: in the minute of the call, and later. */
const SILENT_MINUTES = [1, 2, 10];
/** One attempt more than allowed. */
const TRIES = 5;

/** The attempt gets no answer, the account stays empty, the bank refuses the debit, or takes the money a second time. */
export type DebitFate = 'unanswered' | 'poor' | 'refused' | 'twice';

/** A debit that goes wrong, for as long as its rules allow retries. */
export function unluckyDebit(mandate: number, order: number, fate: DebitFate): Run {
  return async (model, stage) => {
    const before = model.debits.length;
    if (fate === 'refused') await triedDebit(mandate, order, 'investor_bank_declined')(model, stage);
    else if (fate === 'twice') await triedDebit(mandate, order, 'paid')(model, stage);
    else await raisedDebit(mandate, order, 'nach')(model, stage);
    const made = model.debits[before];
    if (!made) return;
    if (fate === 'refused') await untilAttempt(stage, made.id, 2);
    if (fate === 'twice') await takenTwice(stage, made.id);
    if (fate === 'poor') await triedUntilGivenUp(stage, made.id);
    if (fate === 'unanswered') await inSilence(stage, made.id);
  };
}

async function triedUntilGivenUp(stage: MandatesStage, payment: number): Promise<void> {
  for (let number = 1; number <= TRIES; number += 1) {
    await untilAttempt(stage, payment, number);
    const attempt = [...stage.world.attempts.values()].find(
      ({ debit, captures, failure }) =>
        debit.payment_id === payment && debit.attempt === number && captures.length === 0 && failure === null,
    );
    if (!attempt) return;
    await settle(stage, attempt, 'insufficient_funds', true);
    await stage.quiet();
  }
}

async function takenTwice(stage: MandatesStage, payment: number): Promise<void> {
  await stage.quiet();
  const paid = [...stage.world.attempts.values()].find(
    ({ debit, captures }) => debit.payment_id === payment && captures.length === 1,
  );
  if (paid) await takeAfterAll(stage, paid, true);
}

async function inSilence(stage: MandatesStage, payment: number): Promise<void> {
  stage.world.become('silent');
  await untilAttempt(stage, payment);
  for (const minutes of SILENT_MINUTES) await stage.pass(minutes * MINUTE);
  stage.world.become('well');
}

/** The client abandons an authorisation and starts another, and the investor approves both: one token is too many. */
export function surplusToken(): Run {
  return async (model, stage) => {
    const index = model.mandates.length;
    const given = (of: Model) => of.debits.length + of.authorisations.length - 1;
    await inTurn(model, stage, [
      createMandate('UPI', 'SDKVENDOR', '5000', null),
      authorise(index, 'sdk'),
      () => cancelPayment(given(model))(model, stage),
      authorise(index, 'sdk'),
      approveNewest,
      approveNewest,
    ]);
  };
}

async function approveNewest(model: Model, stage: MandatesStage): Promise<void> {
  const open = [...stage.world.asked.values()].filter(({ status }) => status.status === 'waiting');
  if (open.length > 0) await answerAuthorisation(open.length - 1, 'approve', true)(model, stage);
}
