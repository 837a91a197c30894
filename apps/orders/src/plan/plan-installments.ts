import type { DrawInstallment, DrawResult } from '@fundrail/contracts';

/** What orders asks of the plans (architecture §11): the next installment of one whose owner generates them. */
export abstract class PlanInstallments {
  /** Idempotent by the redemption's id. Throws `SERVICE_UNAVAILABLE` without an answer: it may have been drawn. */
  abstract draw(asked: DrawInstallment): Promise<DrawResult>;
}
