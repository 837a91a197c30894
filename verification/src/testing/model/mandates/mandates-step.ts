import { brokenMandateRules } from './mandate-invariants.ts';
import { readFacts } from './mandates-facts.ts';
import type { Model } from './mandates-model.ts';
import type { MandatesStage } from './mandates-stage.ts';

/** Checks every rule. From here on the caller knows the state of each mandate. */
export async function expectRules(model: Model, stage: MandatesStage): Promise<void> {
  const facts = await readFacts(stage);
  const { book } = stage.world;
  addPayments(model, facts);
  for (const { id } of facts.mandates) book.judge(id, resumes(facts, id));
  expect(brokenMandateRules(facts, stage.world, stage.isCalm)).toEqual([]);
  for (const { id, mandate_status } of facts.mandates) {
    if (mandate_status === 'APPROVED') book.reopen(id);
    if (['PAUSED', 'CANCELLED', 'EXPIRED'].includes(mandate_status))
      book.close(id, mandate_status, inFlightOf(facts, id), resumes(facts, id));
  }
}

/** Adds payments that were created although their answer was lost. */
function addPayments(model: Model, { payments, money }: Facts): void {
  const orderOf = new Map(money.shares.map(({ payment_id, old_id }) => [payment_id, old_id]));
  const isNew = (known: readonly { readonly id: number }[], id: number) =>
    !known.some((one) => one.id === id);
  for (const { id, mandate_id: mandate, payment_type } of payments)
    if (payment_type === 'NACH' && isNew(model.debits, id))
      model.debits.push({ id, mandate, order: orderOf.get(id) ?? 0 });
    else if (payment_type === 'AUTH_TRANSACTION' && isNew(model.authorisations, id))
      model.authorisations.push({ id, mandate });
}

type Facts = Awaited<ReturnType<typeof readFacts>>;

function resumes({ steps }: Facts, mandate: number): number {
  return steps.filter(({ mandate_id, trigger }) => mandate_id === mandate && trigger === 'resume').length;
}

function inFlightOf({ attempts, debits }: Facts, mandate: number): number[] {
  const own = new Set(
    debits.filter(({ mandate_id }) => mandate_id === mandate).map(({ payment_id }) => payment_id),
  );
  return attempts
    .filter(({ ended_at, payment_id }) => ended_at === null && own.has(payment_id))
    .map(({ payment_id }) => payment_id);
}
