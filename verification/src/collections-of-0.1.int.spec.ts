import { paymentsService } from '@fundrail/payments';
import { migrate } from '@fundrail/service-kit/db';
import pg from 'pg';
import { ServiceDatabase } from './testing/service-database.ts';

const AT = '2026-11-20T10:00:00+05:30';
const LATER = '2026-11-20T10:30:00+05:30';
/** What of a payment of release 0.1 says how its money is asked for. */
const BLANK = {
  ...{
    status: 'PENDING',
    failure_code: null,
    failed_reason: null,
    failed_at: null,
    amount: 5000,
    source_ref_id: null,
  },
  ...{ received_amount: 0, refunded_amount: 0, transfer_reference: null, created_at: AT, expires_at: LATER },
  ...{ upi_type: null, upi_vpa: null, upi_uri: null, uri_requested_at: null, collect_sent_at: null },
  ...{ ending: null, provider_closed_at: null, token_expires_at: null, token_used_at: null },
  ...{
    page_session_hash: null,
    sdk_options_offered: false,
    checkout_order_id: null,
    checkout_customer_id: null,
  },
  ...{ payment_type: 'NETBANKING', mandate_id: null, mandate_fact: null, bank_code: 'HDFC' },
  ...{ payment_postback_url: 'https://app.example/back', mf_investment_account: 'mfia_a' },
};
const URI = { upi_type: 'uri' };
const ISSUED = { ...URI, uri_requested_at: AT, upi_uri: 'upi://pay?pa=a@b' };
const COLLECT = { upi_type: 'collect', upi_vpa: 'a@b' };
const PAGE = { token_expires_at: LATER };
const OPENED = { ...PAGE, token_used_at: AT, page_session_hash: 'hash' };
const AUTHORISATION = {
  payment_type: 'AUTH_TRANSACTION',
  amount: 0,
  mandate_id: 501,
  mf_investment_account: null,
};

describe('payments of release 0.1', () => {
  let database: ServiceDatabase;
  beforeEach(async () => {
    database = await ServiceDatabase.ofRelease('payments');
  });
  afterEach(() => database.drop());

  /** A payment of release 0.1 with these columns, and its rows after the migration. */
  const migrated = async (columns: object) => {
    await database.rows(
      `INSERT INTO payments SELECT made.* FROM (SELECT * FROM payments LIMIT 1) AS p,
         jsonb_populate_record(NULL::payments, to_jsonb(p) || $1) AS made`,
      [{ ...BLANK, id: 9001, ...columns }],
    );
    await migrate(paymentsService, database.url);
    const of = async (table: string) =>
      (await database.rows(`SELECT * FROM ${table} WHERE payment_id = 9001`))[0] ?? null;
    const [payment] = await database.rows('SELECT * FROM payments WHERE id = 9001');
    return {
      upi: payment?.['upi'] as unknown,
      request: await of('upi_requests'),
      checkout: await of('checkouts'),
      authorisation: await of('authorisations'),
    };
  };

  it.each([
    ['a URI that waits for its orders', URI, { state: 'waiting', sent_at: null }],
    ['a URI that was requested', { ...URI, uri_requested_at: AT }, { state: 'requested', sent_at: null }],
    ['a URI that was issued', ISSUED, { state: 'sent', sent_at: new Date(AT) }],
    ['a URI that is ended', { ...ISSUED, ending: 'cancel' }, { state: 'ending', ending: 'cancel' }],
    ['a URI that the provider has closed', { ...ISSUED, provider_closed_at: LATER }, { state: 'closed' }],
    [
      'a collect request that was sent',
      { ...COLLECT, uri_requested_at: AT, collect_sent_at: AT },
      { state: 'sent', sent_at: new Date(AT), mf_investment_account: 'mfia_a', expires_at: new Date(LATER) },
    ],
    ['an authorisation by URI', { ...AUTHORISATION, ...URI }, { state: 'requested' }],
  ])('given %s, then it is a UPI request in its state', async (_, columns, request) => {
    const rows = await migrated(columns);
    expect(rows.request).toMatchObject(request);
    expect(rows.checkout).toBeNull();
    const { upi_uri, upi_vpa } = { ...BLANK, ...columns };
    const isCollect = 'upi_vpa' in columns;
    expect(rows.upi).toEqual({
      type: isCollect ? 'collect' : 'uri',
      vpa: upi_vpa,
      uri: isCollect ? '' : upi_uri,
    });
  });

  it.each([
    ['a page that is not opened', PAGE, { state: 'offered', opened_at: null, sdk_offered: false }],
    ['an opened page', OPENED, { state: 'opened', opened_at: new Date(AT), session_hash: 'hash' }],
    ['an opened page that is ended', { ...OPENED, ending: 'expire' }, { state: 'ending', ending: 'expire' }],
    ['a closed page', { ...OPENED, ending: 'expire', provider_closed_at: AT }, { state: 'closed' }],
    [
      'a payment with SDK options',
      { ...PAGE, sdk_options_offered: true, checkout_order_id: 'order_1' },
      { state: 'offered', sdk_offered: true, order_id: 'order_1', bank_code: 'HDFC' },
    ],
    [
      'an authorisation on the page',
      { ...AUTHORISATION, ...PAGE, checkout_customer_id: 'cust_1' },
      { state: 'offered', customer_id: 'cust_1', postback_url: 'https://app.example/back' },
    ],
  ])('given %s, then it is a checkout in its state', async (_, columns, checkout) => {
    expect(await migrated(columns)).toMatchObject({ upi: null, request: null, checkout });
  });

  it.each([
    [null, 'asked'],
    ['submitted', 'submitted'],
  ])(
    'given an authorisation whose mandate was published as %s, then it is %s',
    async (mandate_fact, state) => {
      expect((await migrated({ ...AUTHORISATION, ...PAGE, mandate_fact })).authorisation).toMatchObject({
        state,
      });
    },
  );

  it('given a debit, then nothing asks for its money, and its account moves to its row', async () => {
    const [debit] = await database.rows('SELECT payment_id FROM debits LIMIT 1');
    const rows = await migrated({ payment_type: 'NACH', mandate_id: 501, expires_at: null });
    expect(rows).toEqual({ upi: null, request: null, checkout: null, authorisation: null });
    const kept = 'SELECT mf_investment_account FROM debits WHERE payment_id = $1';
    expect((await database.rows(kept, [debit?.['payment_id']]))[0]?.['mf_investment_account']).toMatch(
      /^mfia_/,
    );
  });

  it('given a replica of payments is connected, then the tables stay, until it has gone, and later debits are handed over too', async () => {
    const replica = new pg.Client({ connectionString: database.url, application_name: 'fundrail-payments' });
    await replica.connect();
    await expect(migrate(paymentsService, database.url)).rejects.toThrow(
      'stop payments before this migration',
    );
    expect((await database.columns()).get('payments')).toContain('upi_type');
    // The migration that hands debits over has run; the replica goes on storing debits.
    await database.rows(`DELETE FROM due_work WHERE kind = 'debit.hand_over'`);
    await replica.end();
    await migrate(paymentsService, database.url);
    expect((await database.columns()).get('payments')).toHaveLength(26);
    const left = `SELECT 1 FROM debits WHERE payment_id::text NOT IN (SELECT key FROM due_work WHERE kind = 'debit.hand_over')`;
    expect(await database.rows(left)).toEqual([]);
  });
});
