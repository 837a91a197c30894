import { Decimal } from '@fundrail/contracts';
import { MockAgent } from 'undici';
import type { MandateRegistration, ProviderDebit, ProviderMandate } from '../mandate-ports.ts';
import { MANDATE_URI_CODES, mandateUri } from '../mandate-uri.ts';
import { GatewaypoaPayments } from './gatewaypoa-payments.adapter.ts';

const BASE = 'http://gateway.test';
const registration: MandateRegistration = {
  ...{ reference: 'P1', payment_id: 1, mandate_id: 2, tenant: 'demo', mandate_ref: 'man_2' },
  payee_name: 'A',
  ...{ mandate_type: 'UPI', limit: Decimal.parse('5000'), valid_from: '2026-12-21', valid_to: '2056-12-20' },
  payer: { account_number: '1', ifsc_code: 'HDFC0000001', name: 'A', account_type: 'savings' },
  contact: { email: null, mobile: null },
  expires_at: new Date('2026-12-21T10:30:00+05:30'),
};
const mandate: ProviderMandate = {
  ...{ mandate_type: 'UPI', mandate_token: 'gpm_1', provider_id: null, umrn: null },
};
const debit: ProviderDebit = {
  ...{ reference: 'D1', payment_reference: 'P1', payment_id: 1, tenant: 'demo', attempt: 1, mandate },
  ...{ amount: Decimal.parse('1001.5'), execute_at: new Date('2026-12-22T10:00:00+05:30') },
  ...{ notice_number: 1, notice_reference: 'gpn_1', contact: { email: null, mobile: null } },
};
const uriFor = (limit: string) =>
  mandateUri({
    ...{ payee_vpa: 'a@b', payee_name: 'A', mandate_name: 'M', reference: 'P1', limit, note: 'M' },
    ...{ valid_from: '2026-12-21', valid_to: '2056-12-20', merchant_category: '6211', ...MANDATE_URI_CODES },
  });

// Answers that do not fit the request; the simulator never sends them.
describe("gatewaypoa's mandates, when an answer does not fit", () => {
  let agent: MockAgent;
  let adapter: GatewaypoaPayments;
  beforeEach(() => {
    agent = new MockAgent();
    agent.disableNetConnect();
    adapter = new GatewaypoaPayments({ baseUrl: BASE, dispatcher: agent, apiKey: 'k', webhookSecret: 'w' });
  });
  afterEach(() => agent.close());

  it('has no page of a bank, and so takes no e-mandates, which could not be authorised (MAN-24)', () => {
    expect([adapter.mandates.checkout, adapter.mandates.types]).toEqual([null, ['UPI']]);
  });

  const says = (path: string, body: object, method = 'POST') =>
    agent
      .get(BASE)
      .intercept({ method, path: `/gatewaypoa${path}` })
      .reply(200, JSON.stringify(body));
  const notUnderstood = { kind: 'unknown', why: 'not_understood' };

  it.each([
    ['5000.00', 'yes'],
    ['50000.00', 'unknown'],
    ['500.00', 'unknown'],
  ])(
    'given a URI for ₹%s in place of 5000.00, when it is answered, then the result is %s',
    async (limit, kind) => {
      const authorisation = { reference: 'P1', upi_uri: uriFor(limit), status: 'awaiting_payer' };
      says('/mandates/authorisations', authorisation);
      expect((await adapter.mandates.authoriseByUri(registration)).kind).toBe(kind);
    },
  );

  it('given no URI, when one was requested, then the answer is not understood', async () => {
    says('/mandates/authorisations', { reference: 'P1', upi_uri: null, status: 'awaiting_payer' });
    expect(await adapter.mandates.authoriseByUri(registration)).toMatchObject(notUnderstood);
  });

  it.each(['active', 'paused'])(
    'given a revoked mandate that is %s, then that is not understood',
    async (status) => {
      says('/mandates/gpm_1/revoke', { mandate_token: 'gpm_1', status });
      expect(await adapter.mandates.revoke(mandate, 'V1')).toMatchObject(notUnderstood);
    },
  );

  it.each(['revoked', 'expired', 'rejected'])(
    'given a revoked mandate that is %s, then it has ended',
    async (status) => {
      says('/mandates/gpm_1/revoke', { mandate_token: 'gpm_1', status });
      expect(await adapter.mandates.revoke(mandate, 'V1')).toEqual({ kind: 'yes', value: null });
    },
  );

  it('given a cancelled authorisation that still waits, then that is not understood', async () => {
    says('/mandates/authorisations/P1/cancel', { reference: 'P1', upi_uri: null, status: 'awaiting_payer' });
    expect(await adapter.mandates.cancelAuthorisation('P1')).toMatchObject(notUnderstood);
  });

  it('given a notice that is already withdrawn in the answer to its request, then the answer is not understood', async () => {
    const at = '2026-12-21T10:00:00+05:30';
    const notice = { notice_reference: 'gpn_1', sent_at: at, execute_at: at, amount_paise: 100_150 };
    says('/debits/notices', { ...notice, status: 'withdrawn' });
    const facts = { merchant: 'A', mandate_ref: 'man_2', reason: 'Mutual fund order 501' };
    expect(await adapter.mandates.notifyDebit({ ...debit, ...facts })).toMatchObject(notUnderstood);
  });

  it('given a notice whose debit the investor has refused when it is sent again, then the answer is a no (DEB-21)', async () => {
    const at = '2026-12-21T10:00:00+05:30';
    const notice = { notice_reference: 'gpn_1', sent_at: at, execute_at: at, amount_paise: 100_150 };
    says('/debits/notices', { ...notice, status: 'opted_out' });
    const facts = { merchant: 'A', mandate_ref: 'man_2', reason: 'Mutual fund order 501' };
    const refusal = { kind: 'no', failure_code: 'debit_opted_out' };
    expect(await adapter.mandates.notifyDebit({ ...debit, ...facts })).toMatchObject(refusal);
  });

  it('given an attempt that has failed when it is sent again, then the answer is a no', async () => {
    const failed = { failure_code: 'insufficient_funds', failure_message: null };
    says('/debits', { reference: 'D1', payment_reference: 'P1', status: 'failed', ...failed });
    const answer = await adapter.mandates.executeDebit(debit);
    expect(answer).toMatchObject({ kind: 'no', failure_code: 'insufficient_funds' });
  });

  it.each([
    ['/mandates/authorisations/P1', () => adapter.mandates.authorisationStatus('P1')],
    ['/mandates/gpm_1', () => adapter.mandates.mandateStatus(mandate)],
    ['/debits/D1', () => adapter.mandates.debitStatus(debit)],
  ])('given an unknown word at %s, then the answer is not understood', async (path, ask) => {
    says(path, { reference: 'P1', mandate_token: 'gpm_1', status: 'teleported' }, 'GET');
    expect(await ask()).toMatchObject(notUnderstood);
  });
});
