import { mandateFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** Tells a mandate that nobody was asked to authorise yet from one that nobody ever made: the played provider knows neither. */
@Injectable()
export class KnownMandates {
  constructor(private readonly services: ServiceClient) {}

  /** Throws `ApiError` (503) when mandates are silent. */
  async has(tenant: string, id: number): Promise<boolean> {
    const path = `/internal/mandates/${id}?tenant=${encodeURIComponent(tenant)}`;
    return (await this.services.find('mandates', path, mandateFacts)) !== null;
  }
}
