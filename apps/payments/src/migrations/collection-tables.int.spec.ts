import { authorisationMachine, checkoutMachine, upiRequestMachine } from '@fundrail/state-machines';
import { PaymentsStage } from '../testing/start-payments.ts';

const NOW = new Date('2026-12-21T04:30:00.000Z');
const COMMON = { payment_id: 1, tenant: 'demo' };
const REQUEST = { ...COMMON, state: 'waiting', expires_at: NOW };
const CHECKOUT = {
  ...{ ...COMMON, state: 'offered', expires_at: NOW, token_expires_at: NOW },
  ...{ postback_url: 'https://app.example/back', sdk_offered: false },
};
const OPENED = { opened_at: NOW, session_hash: 'hash' };

describe('the tables of collections', () => {
  let stage: PaymentsStage;
  beforeAll(async () => {
    stage = await PaymentsStage.start();
  });
  afterAll(() => stage.stop());

  const insert = (table: string, row: object) => {
    const names = Object.keys(row);
    const values = names.map((_, index) => `$${index + 1}`);
    const text = `WITH made AS (INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')}) RETURNING payment_id)
      DELETE FROM ${table} WHERE payment_id IN (SELECT payment_id FROM made)`;
    return stage.rows(text, ...Object.values(row));
  };

  it.each([
    ['upi_requests', upiRequestMachine],
    ['checkouts', checkoutMachine],
    ['authorisations', authorisationMachine],
  ] as const)('%s: allow exactly the states of the machine (DATA-4)', async (table, machine) => {
    const [check] = await stage.rows<{ text: string }>(
      'SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = $1',
      `${table}_state`,
    );
    const allowed = [...(check?.text.matchAll(/'(\w+)'/g) ?? [])].map((match) => match[1]);
    expect(allowed.sort()).toEqual([...machine.states].sort());
  });

  it.each([
    ['upi_requests_sent', { ...REQUEST, sent_at: NOW }],
    ['upi_requests_sent_at', { ...REQUEST, state: 'sent' }],
    ['upi_requests_ending', { ...REQUEST, state: 'ending' }],
    ['upi_requests_ending', { ...REQUEST, ending: 'cancel' }],
    ['upi_requests_ending_check', { ...REQUEST, state: 'ending', ending: 'forget' }],
    ['checkouts_opened', { ...CHECKOUT, state: 'opened', opened_at: NOW }],
    ['checkouts_opened_at', { ...CHECKOUT, state: 'opened' }],
    ['checkouts_opened_at', { ...CHECKOUT, ...OPENED }],
    ['checkouts_ending', { ...CHECKOUT, state: 'ending' }],
    ['checkouts_ending', { ...CHECKOUT, ...OPENED, state: 'opened', ending: 'expire' }],
  ])('refuse, by %s, what a state does not have', async (constraint, row) => {
    const table = constraint.startsWith('upi') ? 'upi_requests' : 'checkouts';
    await expect(insert(table, row)).rejects.toMatchObject({ constraint });
  });
});
