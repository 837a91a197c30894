import type { ListMfFolios, MfFolioDto } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';

// Conditions as of the index mf_orders_folio, whose order this is: a page reads no more than its own folios.
const listed = (further: string) => `
  SELECT mf_investment_account, folio_number AS number, array_agg(DISTINCT scheme ORDER BY scheme) AS schemes
  FROM mf_orders
  WHERE tenant = $1 AND state = 'successful' AND folio_number IS NOT NULL
    AND (mf_investment_account, folio_number) > ($2, $3) AND ($4::text IS NULL OR folio_number = $4) ${further}
  GROUP BY mf_investment_account, folio_number
  ORDER BY mf_investment_account, folio_number LIMIT $5`;
const ofTenant = sql('mf_folios.of_tenant', listed(''));
const ofAccount = sql('mf_folios.of_account', listed('AND mf_investment_account = $6'));

/** A page of a tenant's folios, by account and number (ORD-35). */
export async function listFolios(db: Queryable, tenant: string, query: ListMfFolios): Promise<MfFolioDto[]> {
  const { starting_after = ':', folio_number = null, limit, mf_investment_account: account } = query;
  const [afterAccount, afterNumber] = starting_after.split(':');
  const values = [tenant, afterAccount, afterNumber, folio_number, limit];
  const rows = await (account === undefined
    ? db.query<Pick<MfFolioDto, 'number' | 'mf_investment_account' | 'schemes'>>(ofTenant, values)
    : db.query<Pick<MfFolioDto, 'number' | 'mf_investment_account' | 'schemes'>>(ofAccount, [
        ...values,
        account,
      ]));
  return rows.map((row) => ({
    ...{ object: 'mf_folio', id: `${row.mf_investment_account}:${row.number}`, number: row.number },
    ...{ mf_investment_account: row.mf_investment_account, holding_pattern: 'single', schemes: row.schemes },
  }));
}
