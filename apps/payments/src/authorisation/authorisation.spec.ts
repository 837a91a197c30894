import { Decimal } from '@fundrail/contracts';
import type { MandateFacts } from '@fundrail/contracts';
import type { AuthorisationStatus } from '@fundrail/providers';
import { dueIn, eventsIn, minutesLater, NOW, TIMES } from '../testing/payments.builder.ts';
import { endPayment } from '../payment/payment.ts';
import type { Outcome, Payment } from '../payment/payment.ts';
import { authorisationSaid, newAuthorisation } from './authorisation.ts';

const mandate: MandateFacts = {
  id: 501,
  tenant: 'demo',
  mandate_ref: `man_${'0'.repeat(32)}`,
  mandate_type: 'UPI',
  mandate_status: 'CREATED',
  mandate_limit: Decimal.parse('5000'),
  valid_from: '2026-12-21',
  valid_to: '2056-12-21',
  bank_account_id: 7,
  investor_profile: `invp_${'a'.repeat(32)}`,
  provider_name: 'GATEWAYPOA',
  mandate_token: null,
  umrn: null,
  provider_id: null,
};
const authorisation = (): Payment =>
  newAuthorisation(
    { id: 1001, mandate, payment_postback_url: '', bank_code: null },
    { kind: 'uri' },
    NOW,
    TIMES,
  ).row;
const APPROVED: AuthorisationStatus = {
  status: 'approved',
  provider_reference: 'ref_1',
  mandate_token: 'token_1',
  provider_id: 'cust_1',
  umrn: 'UMRN1',
};
const SUBMITTED: AuthorisationStatus = {
  status: 'submitted',
  mandate_token: 'token_1',
  provider_id: null,
  umrn: null,
};
const RECEIVED: AuthorisationStatus = { ...SUBMITTED, status: 'received' };
const FAILED: AuthorisationStatus = { status: 'failed', failure_code: 'invalid_credentials', message: 'x' };
const REJECTED: AuthorisationStatus = {
  status: 'rejected',
  failure_code: 'invalid_bank_account',
  message: 'x',
};
const facts = (outcome: Outcome) => outcome.steps.flatMap(({ fact }) => (fact ? [fact] : []));
/** The payment after these words of the provider, and the outcome of the last one. */
const told = (...words: readonly AuthorisationStatus[]) =>
  words.reduce<Outcome>(({ payment }, said) => authorisationSaid(payment, said, NOW), {
    payment: authorisation(),
    steps: [],
    due: [],
  });

describe('an authorisation (contract §4, §10 "Mandates")', () => {
  it('is a payment of nothing over no order, PENDING, of the mandate', () => {
    expect(authorisation()).toMatchObject({
      payment_type: 'AUTH_TRANSACTION',
      status: 'PENDING',
      orders: [],
      mandate_id: 501,
      from_bank_account_id: 7,
      provider_name: 'GATEWAYPOA',
      method: 'UPI',
      expires_at: minutesLater(30),
    });
    expect(authorisation().amount.toString()).toBe('0.0000');
  });

  it('succeeds with the approval, and mandates is told of the token', () => {
    const outcome = told(APPROVED);
    expect(outcome.payment).toMatchObject({
      status: 'SUCCESS',
      debit_confirmed_at: NOW,
      mandate_fact: 'approved',
    });
    // Whoever reacts to the success finds the mandate approved, where it reads one stream in its order.
    expect(eventsIn(outcome)).toEqual(['payment.mandate_fact', 'payment.success', 'payment.updated']);
    expect(facts(outcome)).toEqual([
      {
        payment_id: 1001,
        mandate_id: 501,
        status: 'approved',
        mandate_token: 'token_1',
        umrn: 'UMRN1',
        provider_id: 'cust_1',
        rejected_reason: null,
      },
    ]);
    // No money came, so none goes on.
    expect(dueIn(outcome)).toEqual([]);
  });

  it('is SUBMITTED while the bank has not said so, and told once per step', () => {
    expect(eventsIn(told(RECEIVED))).toEqual([
      'payment.mandate_fact',
      'payment.submitted',
      'payment.updated',
    ]);
    expect(told(RECEIVED).payment).toMatchObject({ status: 'SUBMITTED', submitted_at: NOW });
    expect(eventsIn(told(RECEIVED, SUBMITTED))).toEqual(['payment.mandate_fact']);
    expect(told(RECEIVED, SUBMITTED).payment.status).toBe('SUBMITTED');
    for (const repeated of [told(RECEIVED, RECEIVED), told(SUBMITTED, RECEIVED), told(SUBMITTED, SUBMITTED)])
      expect(repeated.steps).toEqual([]);
    expect(told(SUBMITTED, APPROVED).payment.status).toBe('SUCCESS');
  });

  it.each([
    [APPROVED, APPROVED],
    [APPROVED, SUBMITTED],
    [FAILED, FAILED],
    [FAILED, SUBMITTED],
    [REJECTED, REJECTED],
  ])('told %j, then %j, changes nothing the second time', (first, second) => {
    expect(told(first, second).steps).toEqual([]);
  });

  it('leaves the mandate alone when it fails before the bank had it', () => {
    const outcome = told(FAILED);
    expect(outcome.payment).toMatchObject({ status: 'FAILED', failure_code: 'invalid_credentials' });
    expect(facts(outcome)).toEqual([]);
    // Asked about further: an approval may come late.
    expect(dueIn(outcome)).toEqual(['payment.status']);
  });

  it.each([
    ['the bank refuses the mandate itself', told(REJECTED)],
    ['the bank had it and it fails', told(SUBMITTED, FAILED)],
    ['the bank had it and refuses it', told(SUBMITTED, REJECTED)],
  ])('tells that the mandate is rejected when %s', (_, outcome) => {
    expect(outcome.payment.status).toBe('FAILED');
    expect(facts(outcome)).toMatchObject([{ status: 'rejected', mandate_token: null }]);
    expect(facts(outcome)[0]?.rejected_reason).toMatch(/\.$/);
  });

  it('stays FAILED when the approval comes late, and mandates is told all the same; no refund, as no money came', () => {
    const failed = endPayment(authorisation(), 'expire', minutesLater(30)).payment;
    const outcome = authorisationSaid(failed, APPROVED, minutesLater(60));
    expect(outcome.payment).toMatchObject({ status: 'FAILED', late_auth: true, refunds: [] });
    expect(eventsIn(outcome)).toEqual(['payment.mandate_fact', 'payment.updated']);
    expect(facts(outcome)).toMatchObject([{ status: 'approved' }]);
    expect(authorisationSaid(outcome.payment, APPROVED, minutesLater(61)).steps).toEqual([]);
  });

  it('names a failure after the success as a contradiction', () => {
    expect(told(APPROVED, FAILED)).toMatchObject({ contradiction: 'failed_after_success', steps: [] });
  });
});
