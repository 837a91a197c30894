import { Decimal, type MandateFacts } from '@fundrail/contracts';
import type { AuthorisationStatus } from '@fundrail/providers';
import { endPayment, type Outcome } from '../../payment/payment.ts';
import { dueIn, eventsIn, minutesLater, NOW, TIMES } from '../../testing/payments.builder.ts';
import { decided, still, type Collection, type CollectionOutcome } from '../collection.ts';
import { applyAuthorisationStatus, newAuthorisation } from './authorisation.ts';

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
const authorisation = (): Collection => {
  const given = { id: 1001, mandate, postback_url: '', bank_code: null };
  const { step, ...rows } = newAuthorisation(given, { kind: 'uri' }, NOW, TIMES);
  return { ...step.row, ...rows };
};
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
const facts = (outcome: Outcome) =>
  outcome.steps.flatMap(({ fact }) => (fact && 'rejected_reason' in fact ? [fact] : []));
/** The payment after these statuses from the provider, and the outcome of the last one. */
const reported = (...statuses: readonly AuthorisationStatus[]) =>
  statuses.reduce<CollectionOutcome>(
    ({ payment }, status) => applyAuthorisationStatus(payment, status, NOW),
    still(authorisation()),
  );

describe('an authorisation (MAN-11)', () => {
  it('is a PENDING payment of the mandate, with amount 0 and no orders (PAY-11)', () => {
    expect(authorisation()).toMatchObject({
      payment_type: 'AUTH_TRANSACTION',
      status: 'PENDING',
      orders: [],
      mandate_id: 501,
      from_bank_account_id: 7,
      provider_name: 'GATEWAYPOA',
      method: 'UPI',
    });
    expect(authorisation().request?.expires_at).toEqual(minutesLater(30));
    expect(authorisation().amount.toString()).toBe('0.0000');
  });

  it('succeeds with the approval, and publishes the token to mandates', () => {
    const outcome = reported(APPROVED);
    expect(outcome).toMatchObject({
      payment: {
        ...{ status: 'SUCCESS', debit_confirmed_at: NOW },
        authorisation: { state: 'approved' },
      },
    });
    // A consumer that reads the stream in order finds the mandate approved when it reacts to the success.
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
    // No money came in, so there is no transfer.
    expect(dueIn(outcome)).toEqual([]);
  });

  it('is SUBMITTED until the bank confirms, and each step is published once', () => {
    expect(eventsIn(reported(RECEIVED))).toEqual([
      'payment.mandate_fact',
      'payment.submitted',
      'payment.updated',
    ]);
    expect(reported(RECEIVED).payment).toMatchObject({ status: 'SUBMITTED', submitted_at: NOW });
    expect(eventsIn(reported(RECEIVED, SUBMITTED))).toEqual(['payment.mandate_fact']);
    expect(reported(RECEIVED, SUBMITTED).payment.status).toBe('SUBMITTED');
    for (const repeated of [
      reported(RECEIVED, RECEIVED),
      reported(SUBMITTED, RECEIVED),
      reported(SUBMITTED, SUBMITTED),
    ])
      expect(repeated.steps).toEqual([]);
    expect(reported(SUBMITTED, APPROVED).payment.status).toBe('SUCCESS');
  });

  it.each([
    [APPROVED, APPROVED],
    [APPROVED, SUBMITTED],
    [FAILED, FAILED],
    [FAILED, SUBMITTED],
    [REJECTED, REJECTED],
  ])('given %j, then %j, nothing changes the second time', (first, second) => {
    expect(reported(first, second).steps).toEqual([]);
  });

  it('does not change the mandate when it fails before the bank had it', () => {
    const outcome = reported(FAILED);
    expect(outcome.payment).toMatchObject({ status: 'FAILED', failure_code: 'invalid_credentials' });
    expect(facts(outcome)).toEqual([]);
    // The provider is asked again: an approval may come late.
    expect(dueIn(outcome)).toEqual(['payment.status']);
  });

  it.each([
    ['the bank refuses the mandate itself', reported(REJECTED)],
    ['the bank had it and it fails', reported(SUBMITTED, FAILED)],
    ['the bank had it and refuses it', reported(SUBMITTED, REJECTED)],
  ])('publishes that the mandate is rejected when %s', (_, outcome) => {
    expect(outcome.payment.status).toBe('FAILED');
    expect(facts(outcome)).toMatchObject([{ status: 'rejected', mandate_token: null }]);
    expect(facts(outcome)[0]?.rejected_reason).toMatch(/\.$/);
  });

  it('stays FAILED when the approval comes late, and still publishes it; no refund, because no money came in', () => {
    const asked = authorisation();
    const failed = decided(asked, endPayment(asked, 'expire', minutesLater(30))).payment;
    const outcome = applyAuthorisationStatus(failed, APPROVED, minutesLater(60));
    expect(outcome.payment).toMatchObject({ status: 'FAILED', late_auth: true, refunds: [] });
    expect(eventsIn(outcome)).toEqual(['payment.mandate_fact', 'payment.updated']);
    expect(facts(outcome)).toMatchObject([{ status: 'approved' }]);
    expect(applyAuthorisationStatus(outcome.payment, APPROVED, minutesLater(61)).steps).toEqual([]);
  });

  it('reports a failure after the success as a contradiction', () => {
    expect(reported(APPROVED, FAILED)).toMatchObject({ contradiction: 'failed_after_success', steps: [] });
  });
});
