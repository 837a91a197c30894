import { mandateFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** Distinguishes a mandate that is not registered yet from one that does not exist: the simulated provider has neither. */
@Injectable()
export class KnownMandates {
  constructor(private readonly services: ServiceClient) {}

  /** Throws `ApiError` (503) when the mandates service does not respond. */
  async has(tenant: string, id: number): Promise<boolean> {
    const path = `/internal/mandates/${id}?tenant=${encodeURIComponent(tenant)}`;
    return (await this.services.find('mandates', path, mandateFacts)) !== null;
  }
}
