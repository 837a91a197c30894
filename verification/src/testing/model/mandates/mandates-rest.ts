import { Decimal, istDate } from '@fundrail/contracts';

import { referenceOf } from '../invariants.ts';
import { settle } from './debit-acts.ts';
import { answerAuthorisation } from './mandate-acts.ts';
import { brokenMandateRules } from './mandate-invariants.ts';
import { readFacts, type MandateFactsRead } from './mandates-facts.ts';
import type { Model } from './mandates-model.ts';
import type { MandatesStage } from './mandates-stage.ts';
import type { MandatesWorld } from './mandates-world.ts';

const HOUR = 3_600_000;
const TERMINAL = new Set(['APPROVED', 'FAILED', 'REJECTED', 'SUCCESS']);
/**
 * Time for a notice, four windows, 36 hours for a result, three days of status queries, and a weekend; then the days that an order waits.
 */
const HOURS = [1, 26, 6, 13, 25, 27, 23, 29, 97, 31, 241, 28, 27];

/** The outside systems answer again, send all reports, and days pass, until everything under way has ended and no money is held. */
export async function comeToRest(model: Model, stage: MandatesStage): Promise<void> {
  stage.beWell();
  for (const hours of HOURS) {
    await finishOutside(model, stage);
    await stage.pass(hours * HOUR);
    if (!(await stage.hasPlans())) break;
  }
  const facts = await readFacts(stage);
  const broken = [...brokenMandateRules(facts, stage.world, true), ...stillOpen(facts, stage.world)];
  expect(broken).toEqual([]);
}

/** Banks decide all waiting attempts, and providers send all unsent reports. */
async function finishOutside(model: Model, stage: MandatesStage): Promise<void> {
  const { world } = stage;
  for (const { status } of world.asked.values())
    if (status.status === 'received' || status.status === 'submitted')
      await answerAuthorisation(0, 'reject', false)(model, stage);
  for (const attempt of world.attempts.values())
    if (attempt.captures.length === 0 && attempt.failure === null)
      await settle(stage, attempt, 'paid', false);
  for (const transfer of world.transfers.values())
    if (transfer.status === 'waiting') transfer.status = 'settled';
  for (const [index, { isReported }] of world.reports.entries())
    if (!isReported) await stage.sendReport(index);
}

/** What has not ended although everything was reported and days have passed. */
export function stillOpen(facts: MandateFactsRead, world: MandatesWorld): string[] {
  const { payments, attempts, revocations, mandates, money } = facts;
  const open = payments.filter(({ status }) => !TERMINAL.has(status));
  const tried = new Set(attempts.map(({ payment_id }) => payment_id));
  const failedAt = new Map(payments.map(({ id, failed_at }) => [id, failed_at]));
  // A notice does no harm if its day had passed when its debit failed.
  const useless = [...world.notices.values()].filter(({ withdrawn, execute_at, debit: { payment_id } }) => {
    const at = failedAt.get(payment_id);
    return at && !withdrawn && !tried.has(payment_id) && istDate(at) <= istDate(execute_at);
  });
  const surplus = [...world.tokens.values()].filter(({ token, state, registration }) => {
    const mandate = mandates.find(({ id }) => id === registration.mandate_id);
    const isOurs = mandate?.mandate_token === token && mandate.mandate_status !== 'CANCELLED';
    return !isOurs && (state === 'active' || state === 'paused');
  });
  const disagreeing = mandates.filter(({ mandate_token, mandate_status }) => {
    const state = world.tokens.get(mandate_token ?? '')?.state;
    const is = { active: 'APPROVED', paused: 'PAUSED', cancelled: 'CANCELLED', expired: 'EXPIRED' };
    const isLive = mandate_status === 'APPROVED' || mandate_status === 'PAUSED';
    return isLive && state && state !== 'rejected' && is[state] !== mandate_status;
  });
  return [
    ...open.map(({ id, status }) => `payment ${id} is ${status} forever`),
    ...attempts
      .filter(({ ended_at }) => !ended_at)
      .map(({ payment_id }) => `an attempt of ${payment_id} is open forever`),
    ...revocations.map(({ mandate_token }) => `${mandate_token} is not revoked`),
    ...useless.map(({ debit }) => `the notice of ${debit.payment_id} was not taken back`),
    ...surplus.map(({ token, state }) => `${token} is ${state} at its provider, and not needed`),
    ...unknownMoney(facts, world),
    ...disagreeing.map(
      ({ id, mandate_status }) => `mandate ${id} is ${mandate_status}, and not so at its provider`,
    ),
    ...money.refunds
      .filter(({ status }) => status === 'CREATED')
      .map(({ payment_id }) => `a refund of ${payment_id} waits forever`),
  ];
}

/** The product knows every capture, and has refunded what it may not keep (`brokenRules`). */
function unknownMoney({ money }: MandateFactsRead, { accounts }: MandatesWorld): string[] {
  return money.payments.flatMap(({ id, received_amount }) => {
    const taken = accounts.get(referenceOf(id))?.captures.map(({ amount }) => amount) ?? [];
    return taken.length === 0 || Decimal.sum(taken).equals(received_amount)
      ? []
      : [`${taken.length} captures of payment ${id} are not what it has received`];
  });
}
