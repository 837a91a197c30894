import { debitStandings, RECONCILIATION_PAGE } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import { byKey, pageByNumber, ReconciliationCheck } from '@fundrail/service-kit/reconciliation';
import type { CheckPage, Finding, Window } from '@fundrail/service-kit/reconciliation';
import { Injectable } from '@nestjs/common';
import { pageOfDebits, paymentsNamed } from './standing.repository.ts';

interface Debit {
  readonly id: number;
  readonly tenant: string;
  readonly status: string;
}

/** Checks that mandates has admitted each live debit. */
@Injectable()
export class DebitsCheck extends ReconciliationCheck {
  readonly name = 'admissions';

  constructor(
    private readonly db: Database,
    private readonly services: ServiceClient,
  ) {
    super();
  }

  async page(cursor: string | null, { from }: Window): Promise<CheckPage> {
    const rows = await pageOfDebits(this.db, Number(cursor ?? 0), from);
    return pageByNumber(
      rows,
      RECONCILIATION_PAGE,
      ({ id }) => id,
      (all) => this.compare(all.filter(({ wanted }) => wanted)),
    );
  }

  async again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    const named = await paymentsNamed(
      this.db,
      findings.map(({ object }) => Number(object)),
    );
    return this.compare(named.filter(({ status }) => status !== 'FAILED' && status !== 'REJECTED'));
  }

  private async compare(debits: readonly Debit[]): Promise<readonly Finding[]> {
    if (debits.length === 0) return [];
    const answer = await this.services.call('mandates', {
      method: 'POST',
      path: '/internal/reconciliation/debits',
      body: { payment_ids: debits.map(({ id }) => id) },
      answer: debitStandings,
      retry: true,
    });
    const known = byKey(answer.debits, ({ payment_id }) => payment_id);
    return debits
      .filter(({ id }) => !known.has(id))
      .map(({ id, tenant, status }) => ({
        kind: 'debit_not_admitted',
        object: String(id),
        tenant,
        facts: { payment_status: status },
      }));
  }
}
