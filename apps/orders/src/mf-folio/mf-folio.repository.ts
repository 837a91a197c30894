import type { ListMfFolios, MfFolioDto } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';

type FolioRow = Pick<MfFolioDto, 'number' | 'mf_investment_account' | 'schemes'>;

// Conditions as of the indexes mf_orders_folio and mf_orders_folio_number: a page reads no more than its own folios.
const listed = (further: string) => `
  SELECT mf_investment_account, folio_number AS number, array_agg(DISTINCT scheme ORDER BY scheme) AS schemes
  FROM mf_orders
  WHERE tenant = $1 AND state = 'successful' AND folio_number IS NOT NULL
    AND (mf_investment_account, folio_number) > ($2, $3) ${further}
  GROUP BY mf_investment_account, folio_number
  ORDER BY mf_investment_account, folio_number LIMIT $4`;
const ofTenant = sql('mf_folios.of_tenant', listed(''));
const ofNumber = sql('mf_folios.of_number', listed('AND folio_number = $5'));
const ofAccount = sql(
  'mf_folios.of_account',
  listed('AND mf_investment_account = $5 AND ($6::text IS NULL OR folio_number = $6)'),
);

/** A page of a tenant's folios, by account and number (ORD-35). */
export async function listFolios(db: Queryable, tenant: string, query: ListMfFolios): Promise<MfFolioDto[]> {
  const { starting_after = ':', folio_number: number, limit, mf_investment_account: account } = query;
  const page = [tenant, ...starting_after.split(':'), limit];
  const rows =
    account !== undefined
      ? await db.query<FolioRow>(ofAccount, [...page, account, number ?? null])
      : number !== undefined
        ? await db.query<FolioRow>(ofNumber, [...page, number])
        : await db.query<FolioRow>(ofTenant, page);
  return rows.map((row) => ({
    ...{ object: 'mf_folio', id: `${row.mf_investment_account}:${row.number}`, number: row.number },
    ...{ mf_investment_account: row.mf_investment_account, holding_pattern: 'single', schemes: row.schemes },
  }));
}
