import {
  ApiError,
  callsOf,
  personErased,
  personRows,
  personStanding,
  type PersonErased,
  type PersonIds,
  type PersonStanding,
  type ServiceName,
} from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';

/** The services that store something about investors. */
export const STORING = callsOf('identity');
/** Wall milliseconds of one call, which reads or changes all rows of a person: some hundred after eight years of monthly installments. */
const TIMEOUT_MS = 5_000;

/** What other services store about a person. Every call answers wholly, or throws `ApiError` SERVICE_UNAVAILABLE. */
@Injectable()
export class PersonElsewhere {
  constructor(private readonly services: ServiceClient) {}

  standing(person: PersonIds): Promise<PersonStanding[]> {
    return Promise.all(STORING.map((service) => this.call(service, 'standing', person, personStanding)));
  }

  /** The person's rows, by service and table. */
  async rows(person: PersonIds): Promise<Record<string, z.output<typeof personRows>['tables']>> {
    const parts = STORING.map(async (service) => {
      const { tables } = await this.call(service, 'export', person, personRows);
      return [service, tables] as const;
    });
    return Object.fromEntries(await Promise.all(parts));
  }

  async erase(service: ServiceName, person: PersonIds): Promise<PersonErased['erased']> {
    return (await this.call(service, 'erasure', person, personErased)).erased;
  }

  private async call<S extends z.ZodType>(
    service: ServiceName,
    what: 'standing' | 'export' | 'erasure',
    body: PersonIds,
    answer: S,
  ): Promise<z.output<S>> {
    const path = `/internal/personal_data/${what}`;
    try {
      const call = { method: 'POST' as const, path, body, answer };
      return await this.services.call(service, { ...call, timeoutMs: TIMEOUT_MS, retry: true });
    } catch (error) {
      // A replica of the release before has no such route.
      if (error instanceof ApiError && error.code !== 'SERVICE_UNAVAILABLE')
        throw new ApiError('SERVICE_UNAVAILABLE', `${service} cannot say what it stores about the investor.`);
      throw error;
    }
  }
}
