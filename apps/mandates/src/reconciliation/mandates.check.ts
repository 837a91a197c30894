import { RECONCILIATION_PAGE } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import {
  pageByNumber,
  ReconciliationCheck,
  Unanswered,
  type CheckPage,
  type Finding,
  type Window,
} from '@fundrail/service-kit/reconciliation';
import { Injectable } from '@nestjs/common';
import { applyProviderState } from '../fact/mandate-facts.ts';
import { MANDATE_DUE } from '../mandate/mandate-due.ts';
import { findMandate } from '../mandate/mandate.repository.ts';
import { MandateProviders } from '../outside/mandate-providers.ts';
import { PaymentStandings, standingName } from './payment-standings.ts';
import {
  authorisingMandates,
  checkAuthorisationAt,
  pageOfMandates,
  type Authorising,
} from './standing.repository.ts';

/** A payment that may still authorise. */
const OPEN = new Set(['PENDING', 'SUBMITTED']);

/** Compares each recently changed mandate with its provider, and each running authorisation with payments. */
@Injectable()
export class MandatesCheck extends ReconciliationCheck {
  readonly name = 'mandates';

  constructor(
    private readonly db: Database,
    private readonly providers: MandateProviders,
    private readonly payments: PaymentStandings,
  ) {
    super();
  }

  async page(cursor: string | null, { from }: Window): Promise<CheckPage> {
    const rows = await pageOfMandates(this.db, Number(cursor ?? 0), from);
    return pageByNumber(
      rows,
      RECONCILIATION_PAGE,
      ({ id }) => id,
      async (all) => [
        ...(await this.authorisations(all)),
        ...(await this.atProviders(all.filter(({ wanted }) => wanted))),
      ],
    );
  }

  async again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    const of = (kind: Finding['kind']) => findings.filter((finding) => finding.kind === kind);
    const ids = of('authorisation_of_dead_payment').map(({ object }) => Number(object));
    const differing = of('mandate_differs_at_provider').map(({ object, tenant }) => ({
      id: Number(object),
      tenant: tenant ?? '',
    }));
    return [
      ...(await this.authorisations(await authorisingMandates(this.db, ids))),
      ...(await this.atProviders(differing)),
    ];
  }

  override async repair({ kind, object, tenant, facts }: Finding): Promise<boolean> {
    if (kind === 'authorisation_of_dead_payment')
      return checkAuthorisationAt(this.db, Number(object), await this.db.now());
    if (tenant === null || facts['missing_here'] === null) return false;
    await this.db.transaction((tx) =>
      scheduleDue(tx, { kind: MANDATE_DUE.status, key: object, tenant, due_at: tx.now }),
    );
    return true;
  }

  private async authorisations(rows: readonly Authorising[]): Promise<readonly Finding[]> {
    const waiting = rows.flatMap(({ id, tenant, authorising_payment: payment }) =>
      payment === null ? [] : [{ id, tenant, payment }],
    );
    const payments = await this.payments.of(waiting.map(({ payment }) => payment));
    return waiting
      .filter(({ payment }) => !OPEN.has(standingName(payments.get(payment))))
      .map(({ id, tenant, payment }) => ({
        kind: 'authorisation_of_dead_payment',
        object: String(id),
        tenant,
        facts: { payment_id: payment, payment_status: standingName(payments.get(payment)) },
      }));
  }

  /** Providers have no list of mandates by time, so each one is requested by its token. */
  private async atProviders(
    mandates: readonly Pick<Authorising, 'id' | 'tenant'>[],
  ): Promise<readonly Finding[]> {
    const found: Finding[] = [];
    for (const { id, tenant } of mandates) found.push(...(await this.atProvider(tenant, id)));
    return found;
  }

  private async atProvider(tenant: string, id: number): Promise<readonly Finding[]> {
    const row = await findMandate(this.db, tenant, { oldId: id });
    if (typeof row?.mandate_token !== 'string') return [];
    const { mandate_type, mandate_token, provider_id, umrn, provider_name } = row;
    const provider = this.providers.of(provider_name);
    const answer = await provider?.mandateStatus({ mandate_type, mandate_token, provider_id, umrn });
    if (!answer) return [];
    if (answer.kind === 'unknown') throw new Unanswered(`${provider_name} does not answer`);
    const state = answer.kind === 'yes' ? answer.value.status : 'not_known';
    const step =
      answer.kind === 'yes' ? applyProviderState(row, answer.value.status, await this.db.now()) : state;
    if (step === null) return [];
    const missing_here = typeof step === 'string' ? null : step.trigger;
    const contradiction = typeof step === 'string' ? step : null;
    const facts = { status_here: row.mandate_status, status_there: state, missing_here, contradiction };
    return [{ kind: 'mandate_differs_at_provider', object: String(id), tenant, facts }];
  }
}
