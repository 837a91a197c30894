import { draw, end } from './more-acts.ts';
import { settle, type Model } from './plans-model.ts';
import { expectRules } from './plans-rules.ts';
import type { PlansStage } from './plans-stage.ts';

/** Longer than the months of any plan of the model. */
const MONTHS_MS = 250 * 86_400_000;
const MINUTE_MS = 60_000;

/** Schedulers run, months pass, callers draw their installments, and redemptions end. Then every active plan must be completed. */
export async function comeToRest(model: Model, stage: PlansStage): Promise<void> {
  stage.recover();
  await settle(model, stage);
  stage.service.clock.advance(MONTHS_MS);
  await settle(model, stage);
  while (model.plans.some(({ mayDraw }) => mayDraw)) await draw(0, 'one')(model, stage);
  stage.service.clock.advance(MINUTE_MS);
  await settle(model, stage);
  while (model.plans.some(({ made }) => made.some(({ hasEnded }) => !hasEnded)))
    await end(0, 'failed', false)(model, stage);
  await expectRules(model, stage);
  expect(model.plans.filter(({ state }) => state === 'active')).toEqual([]);
}
