import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { ServiceClient } from '@fundrail/service-kit/http';
import {
  checkOf,
  compare,
  findings,
  numbersIn,
  RowsCheck,
  standingName,
  standingsOfPayments,
  Unanswered,
  type Finding,
} from '@fundrail/service-kit/reconciliation';
import { applyProviderFacts } from '../fact/mandate-facts.ts';
import { MANDATE_DUE } from '../mandate/mandate.ts';
import { findMandate } from '../mandate/mandate.repository.ts';
import { MandateProviders } from '../outside/mandate-providers.ts';
import { authorisingMandates, checkAuthorisationAt, pageOfMandates } from './standing.repository.ts';
import type { Authorising } from './standing.repository.ts';

/** A payment that may still authorise. */
const OPEN = new Set(['PENDING', 'SUBMITTED']);

/** Compares each recently changed mandate with its provider, and each running authorisation with payments. */
export const mandatesCheck = checkOf(
  RowsCheck<Authorising>,
  [Database, MandateProviders, ServiceClient],
  (db, providers, services) => ({
    name: 'mandates',
    rows: (after, { from }) => pageOfMandates(db, Number(after), from),
    placeOf: ({ id }) => id,
    named: async (found) => {
      const of = (kind: Finding['kind']) => found.filter((finding) => finding.kind === kind);
      const changed = of('mandate_differs_at_provider').map(({ object, tenant }) => ({
        ...{ id: Number(object), tenant: tenant ?? '' },
        ...{ authorising_payment: null, changed: true },
      }));
      const ids = numbersIn(of('authorisation_of_dead_payment'));
      return [...(await authorisingMandates(db, ids)), ...changed];
    },
    compare: async (rows) => {
      const found = [...(await authorisations(services, rows))];
      // Providers have no list of mandates by time, so each one is requested by its token.
      for (const row of rows) if (row.changed) found.push(...(await atProvider(db, providers, row)));
      return found;
    },
    repair: async ({ kind, object, tenant, facts }) => {
      if (kind === 'authorisation_of_dead_payment')
        return checkAuthorisationAt(db, Number(object), await db.now());
      if (tenant === null || facts['missing_here'] === null) return false;
      await db.transaction((tx) =>
        scheduleDue(tx, { kind: MANDATE_DUE.status, key: object, tenant, due_at: tx.now }),
      );
      return true;
    },
  }),
);

async function authorisations(
  services: ServiceClient,
  rows: readonly Authorising[],
): Promise<readonly Finding[]> {
  const waiting = rows.filter(({ authorising_payment }) => authorising_payment !== null);
  const ids = waiting.flatMap(({ authorising_payment }) => authorising_payment ?? []);
  return compare(waiting, await standingsOfPayments(services, ids), {
    keyOf: ({ authorising_payment }) => authorising_payment,
    otherKeyOf: ({ payment_id }) => payment_id,
    about: ({ id, tenant, authorising_payment: payment_id }, payment) => ({
      ...{ object: String(id), tenant },
      facts: { payment_id, payment_status: standingName(payment) },
    }),
    missing: () => ({ authorisation_of_dead_payment: {} }),
    differing: (_, payment) => ({ authorisation_of_dead_payment: !OPEN.has(standingName(payment)) && {} }),
  });
}

async function atProvider(
  db: Database,
  providers: MandateProviders,
  { id, tenant }: Authorising,
): Promise<readonly Finding[]> {
  const row = await findMandate(db, tenant, { oldId: id });
  if (typeof row?.mandate_token !== 'string') return [];
  const { mandate_type, mandate_token, provider_id, umrn, provider_name } = row;
  const provider = providers.of(provider_name);
  const answer = await provider?.mandateStatus({ mandate_type, mandate_token, provider_id, umrn });
  if (!answer) return [];
  if (answer.kind === 'unknown') throw new Unanswered(`${provider_name} does not answer`);
  const state = answer.kind === 'yes' ? answer.value.status : 'not_known';
  const steps = answer.kind === 'yes' ? applyProviderFacts(row, answer.value, await db.now()) : state;
  const contradiction = typeof steps === 'string' ? steps : null;
  const triggers = typeof steps === 'string' ? [] : steps.map(({ trigger }) => trigger);
  const missing_here = triggers.length > 0 ? triggers.join(', ') : null;
  const facts = { status_here: row.mandate_status, status_there: state, missing_here, contradiction };
  return findings(
    { object: String(id), tenant, facts },
    { mandate_differs_at_provider: steps.length > 0 && {} },
  );
}
