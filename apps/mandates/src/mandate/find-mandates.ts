import { found } from '@fundrail/contracts';
import type {
  AskMandates,
  EitherId,
  MandateDto,
  MandateFacts,
  MandateFilters,
  MandateTerms,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { pageOf, type PageOf } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { In, type FindOptionsWhere } from 'typeorm';
import { MandatesConfig } from '../config.ts';
import type { DebitRules } from '../debit/debit-policy.ts';
import { MANDATES, type MandateRow } from './mandate.table.ts';
import { findMandate, findMandates } from './mandate.repository.ts';
import { toFacts, toMandate } from './mandate.ts';

const HOUR_MS = 3_600_000;

export type MandateQuery = MandateFilters & { readonly page: number; readonly size: number };

/** Reads mandates of a tenant. Another tenant's mandate is not found. */
@Injectable()
export class FindMandates {
  constructor(
    private readonly database: Database,
    private readonly config: MandatesConfig,
  ) {}

  /** Throws 404. */
  async one(tenant: string, id: EitherId): Promise<MandateDto> {
    const row = found(await findMandate(this.database, tenant, id));
    return toMandate(row);
  }

  /** For other services. Throws 404. */
  async terms(tenant: string, id: EitherId): Promise<MandateTerms> {
    const row = found(await findMandate(this.database, tenant, id));
    return { ...toFacts(row), debits: termsOf(this.config.debits(await this.database.now())) };
  }

  /** Many at once, for other services. Mandates that their tenant does not have are left out. */
  async factsOfAll({ mandates }: AskMandates): Promise<MandateFacts[]> {
    return (await findMandates(this.database, mandates)).map(toFacts);
  }

  /** Newest first (CONV-20). */
  async page(
    tenant: string,
    { page, size, ...filters }: MandateQuery,
  ): Promise<PageOf<'mandates', MandateDto>> {
    const [rows, total] = await this.database.manager.findAndCount(MANDATES.entity, {
      where: where(tenant, filters),
      order: { id: 'DESC' },
      skip: page * size,
      take: size,
    });
    return pageOf('mandates', rows.map(toMandate), { page, size, total });
  }
}

/** The rules as an investor reads them before authorising a mandate. */
function termsOf({
  noticeMs,
  mostAttempts,
  emandateFrom,
  emandateRetryDays,
}: DebitRules): MandateTerms['debits'] {
  return {
    notice_hours: Math.floor(noticeMs / HOUR_MS),
    most_attempts: mostAttempts,
    emandate_from: emandateFrom,
    emandate_retry_days: emandateRetryDays,
  };
}

function where(
  tenant: string,
  { bank_account_id, source_ref_id }: MandateFilters,
): FindOptionsWhere<MandateRow> {
  return {
    tenant,
    ...(bank_account_id && { bank_account_id: In(bank_account_id) }),
    ...(source_ref_id !== undefined && { source_ref_id }),
  };
}
