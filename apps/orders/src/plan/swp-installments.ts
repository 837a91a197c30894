import { drawResult, type DrawInstallment, type DrawResult } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { PlanInstallments } from './plan-installments.ts';

/** Draws installments from swp. */
@Injectable()
export class SwpInstallments extends PlanInstallments {
  constructor(private readonly services: ServiceClient) {
    super();
  }

  draw(body: DrawInstallment): Promise<DrawResult> {
    const path = '/internal/swp/installments';
    return this.services.call('swp', { method: 'POST', path, body, answer: drawResult, retry: true });
  }
}
