import type { MfFolioDto } from '@fundrail/contracts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';
import { ACCOUNT } from '../testing/purchase.builder.ts';

const URL = '/v2/mf_folios';
const OTHER = `mfia_${'7'.repeat(32)}`;
const FOLIO = '91012345678';

describe('folios (ORD-35)', () => {
  let orders: OrdersUnderTest;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());

  const list = async (query = '', more: object = {}) =>
    (await orders.ask<{ data: MfFolioDto[] }>('GET', `${URL}${query}`, more)).body.data;

  it('are those of successful orders, once each, with their schemes', async () => {
    await orders.createPending({ folio_number: '555/1' });
    expect(await list()).toEqual([]);
    const { id } = await orders.createSubmitted(700);
    await orders.callback(id, 'successful');
    await orders.inState(id, 'successful');
    const folio = {
      ...{ object: 'mf_folio', id: `${ACCOUNT}:${FOLIO}`, number: FOLIO },
      ...{ mf_investment_account: ACCOUNT, holding_pattern: 'single', schemes: ['INF173K01FE6'] },
    };
    expect(await list()).toEqual([folio]);
    await copied(id, { folio: FOLIO, scheme: 'INF209K01VD7' });
    expect(await list()).toEqual([{ ...folio, schemes: ['INF173K01FE6', 'INF209K01VD7'] }]);
  });

  it('are filtered and paged by account and number, and seen by their tenant only', async () => {
    const [source] = await orders.rows<{ id: string }>(`SELECT id FROM mf_orders WHERE state = 'successful'`);
    const id = source?.id ?? '';
    await copied(id, { folio: '100/1' });
    await copied(id, { folio: '100/1', account: OTHER });
    await copied(id, { folio: '200/2', account: OTHER });
    const all = [`${ACCOUNT}:100/1`, `${ACCOUNT}:${FOLIO}`, `${OTHER}:100/1`, `${OTHER}:200/2`].sort();
    const ids = async (query: string) => (await list(query)).map((folio) => folio.id);
    expect((await ids('')).sort()).toEqual(all);
    const pages: string[] = [];
    for (
      let after = '';
      pages.length < all.length;
      after = `&starting_after=${encodeURIComponent(pages.at(-1) ?? '')}`
    )
      pages.push(...(await ids(`?limit=1${after}`)));
    expect([pages.length, [...pages].sort()]).toEqual([all.length, all]);
    expect(await ids(`?starting_after=${encodeURIComponent(pages.at(-1) ?? '')}`)).toEqual([]);
    expect((await ids(`?mf_investment_account=${OTHER}`)).sort()).toEqual([
      `${OTHER}:100/1`,
      `${OTHER}:200/2`,
    ]);
    expect(await ids(`?mf_investment_account=${OTHER}&folio_number=200/2`)).toEqual([`${OTHER}:200/2`]);
    expect((await ids('?folio_number=100/1')).sort()).toEqual([`${ACCOUNT}:100/1`, `${OTHER}:100/1`].sort());
    const after = encodeURIComponent(`${OTHER}:100/1`);
    expect(await ids(`?mf_investment_account=${OTHER}&starting_after=${after}`)).toEqual([`${OTHER}:200/2`]);
    expect(await list('', { tenant: 'other' })).toEqual([]);
    expect((await orders.refused('GET', `${URL}?starting_after=mff_1`, {})).status).toBe(400);
  });

  it('have the fields of the upstream for its clients, null where unknown (COMP-6)', async () => {
    const [folio] = await list('?limit=1', { compatibility: 'upstream' });
    expect(folio).toMatchObject({
      object: 'mf_folio',
      amc: null,
      email_addresses: null,
      payout_details: null,
    });
  });

  /** Another successful order, as a copy of that one. */
  async function copied(
    id: string,
    { folio, account = ACCOUNT, scheme = 'INF173K01FE6' }: Copy,
  ): Promise<void> {
    await orders.rows(
      `INSERT INTO mf_orders SELECT (jsonb_populate_record(o, jsonb_build_object(
         'id', 'mfp_' || md5(random()::text), 'old_id', nextval('mf_orders_old_id_seq'), 'source_ref_id', null,
         'folio_number', $2::text, 'mf_investment_account', $3::text, 'scheme', $4::text))).*
       FROM mf_orders o WHERE id = $1`,
      ...[id, folio, account, scheme],
    );
  }
});

interface Copy {
  readonly folio: string;
  readonly account?: string;
  readonly scheme?: string;
}
