import { mandateFacts, mandatesAnswer, type AskMandates, type MandateFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** Reads mandates from the mandates service. */
@Injectable()
export class Mandates {
  constructor(private readonly services: ServiceClient) {}

  /** The mandate's current state, or null when the tenant has none with that id. Throws `SERVICE_UNAVAILABLE`. */
  find(tenant: string, id: number): Promise<MandateFacts | null> {
    const path = `/internal/mandates/${id}?tenant=${encodeURIComponent(tenant)}`;
    return this.services.find('mandates', path, mandateFacts);
  }

  /** The current states of those of the mandates that exist, by their ids. Throws `SERVICE_UNAVAILABLE`. */
  async findAll(asked: AskMandates['mandates']): Promise<ReadonlyMap<number, MandateFacts>> {
    const { mandates } = await this.services.call('mandates', {
      ...{ method: 'POST', path: '/internal/mandates/batch', body: { mandates: asked } },
      ...{ answer: mandatesAnswer, retry: true },
    });
    return new Map(mandates.map((mandate) => [mandate.id, mandate]));
  }
}
