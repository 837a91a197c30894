import { mandateFacts, mandatesAnswer, type AskMandates, type MandateFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** What mandates knows of a mandate. */
@Injectable()
export class Mandates {
  constructor(private readonly services: ServiceClient) {}

  /** The mandate as it is now, or null when the tenant has none with that id. Throws `SERVICE_UNAVAILABLE`. */
  find(tenant: string, id: number): Promise<MandateFacts | null> {
    const path = `/internal/mandates/${id}?tenant=${encodeURIComponent(tenant)}`;
    return this.services.find('mandates', path, mandateFacts);
  }

  /** Those of the mandates that there are, as they are now, by their ids. Throws `SERVICE_UNAVAILABLE`. */
  async findAll(asked: AskMandates['mandates']): Promise<ReadonlyMap<number, MandateFacts>> {
    const { mandates } = await this.services.call('mandates', {
      ...{ method: 'POST', path: '/internal/mandates/batch', body: { mandates: asked } },
      ...{ answer: mandatesAnswer, retry: true },
    });
    return new Map(mandates.map((mandate) => [mandate.id, mandate]));
  }
}
