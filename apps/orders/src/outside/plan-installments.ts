import {
  drawResult,
  skippedDays,
  type DrawInstallment,
  type DrawResult,
  type SkippedDays,
} from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** What orders asks of plans (CALL-6): the next installment of a plan without automatic generation. */
@Injectable()
export class PlanInstallments {
  constructor(private readonly services: ServiceClient) {}

  /** Idempotent by the redemption's id. Throws `SERVICE_UNAVAILABLE` without an answer: it may have been drawn. */
  draw(body: DrawInstallment): Promise<DrawResult> {
    // The path that replicas of the release before serve too: a 404 of theirs would be kept for the client's key (decision 0053).
    const path = '/internal/swp/installments';
    return this.services.call('plans', { method: 'POST', path, body, answer: drawResult, retry: true });
  }

  /** The days that an instruction skips; null when the tenant has no such instruction. Throws `SERVICE_UNAVAILABLE` without an answer. */
  skippedBy(tenant: string, instruction: string): Promise<SkippedDays | null> {
    const path = `/internal/plans/skip_instructions/${instruction}?tenant=${encodeURIComponent(tenant)}`;
    return this.services.find('plans', path, skippedDays);
  }
}
