import type { DrawInstallment, DrawResult } from '@fundrail/contracts';

/** What orders asks of swp (CALL-6): the next installment of a plan without automatic generation. */
export abstract class PlanInstallments {
  /** Idempotent by the redemption's id. Throws `SERVICE_UNAVAILABLE` without an answer: it may have been drawn. */
  abstract draw(asked: DrawInstallment): Promise<DrawResult>;
}
