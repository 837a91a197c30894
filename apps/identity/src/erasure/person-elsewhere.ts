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
/** Of one call: some 100 KiB. A person with installments on every day has tens of thousands. */
const MOST_SUBJECTS = 2_000;

/** What other services store about a person. Every call answers wholly, or throws `ApiError` SERVICE_UNAVAILABLE. */
@Injectable()
export class PersonElsewhere {
  constructor(private readonly services: ServiceClient) {}

  standing(person: PersonIds): Promise<PersonStanding[]> {
    return Promise.all(STORING.map((service) => this.call(service, 'standing', person, personStanding)));
  }

  /** The person's rows, by service and table. Those of events repeat others, so no subjects are sent. */
  async rows(
    ids: Omit<PersonIds, 'subjects'>,
  ): Promise<Record<string, z.output<typeof personRows>['tables']>> {
    const parts = STORING.map(async (service) => {
      const { tables } = await this.call(service, 'export', { ...ids, subjects: [] }, personRows);
      return [service, tables] as const;
    });
    return Object.fromEntries(await Promise.all(parts));
  }

  /** The rows that say nothing about the person now; null while something is going on there. */
  async erase(service: ServiceName, person: PersonIds): Promise<PersonErased['erased']> {
    const rowsOf = new Map<string, number>();
    for (const part of inParts(person)) {
      const { erased } = await this.call(service, 'erasure', part, personErased);
      if (!erased) return null;
      for (const { table, rows } of erased) rowsOf.set(table, (rowsOf.get(table) ?? 0) + rows);
    }
    return [...rowsOf].map(([table, rows]) => ({ table, rows }));
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
      if (error instanceof ApiError && error.code === 'PAYLOAD_TOO_LARGE')
        throw new ApiError('SERVICE_UNAVAILABLE', `${service}: ${error.message}`);
      // A replica of the release before has no such route.
      if (error instanceof ApiError && error.code !== 'SERVICE_UNAVAILABLE')
        throw new ApiError('SERVICE_UNAVAILABLE', `${service} cannot say what it stores about the investor.`);
      throw error;
    }
  }
}

/** As many bodies as the subjects need. Only the first names accounts, so that no row of theirs is counted twice. */
function inParts(person: PersonIds): PersonIds[] {
  const { subjects } = person;
  const parts = [{ ...person, subjects: subjects.slice(0, MOST_SUBJECTS) }];
  for (let from = MOST_SUBJECTS; from < subjects.length; from += MOST_SUBJECTS)
    parts.push({
      ...{ ...person, mf_investment_accounts: [], bank_accounts: [] },
      subjects: subjects.slice(from, from + MOST_SUBJECTS),
    });
  return parts;
}
