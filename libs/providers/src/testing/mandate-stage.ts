import { addDays, Decimal, istDate, type PaymentFailureCode } from '@fundrail/contracts';
import type {
  AuthorisationStatus,
  MandateRegistration,
  MandateState,
  ProviderDebit,
  ProviderMandate,
  ProviderMandates,
  ProviderNotice,
} from '../mandate-ports.ts';
import type { PaymentCallback } from '../ports.ts';
import { drawNumber, type PaymentStage, type StageCallback } from './conformance-stage.ts';
import { eventually } from './eventually.ts';

/** A call about mandates that can be disturbed. Each stage maps it to its provider's call. */
export type MandateCall =
  | 'authorisation'
  | 'authorisation_collect'
  | 'authorisation_status'
  | 'mandate_status'
  | 'revoke'
  | 'notify'
  | 'execute'
  | 'debit_status'
  | 'debit_result';

/** What investor and bank do with a mandate, with the names of the simulate route of SAND-8. */
type MandateAct = 'SUBMITTED' | 'APPROVED' | 'REJECTED' | 'PAUSED' | 'ACTIVE' | 'CANCELLED';

/** A provider of mandates under the conformance suite. */
export interface MandateStage {
  readonly mandates: ProviderMandates;
  readonly payers: PaymentStage['payers'];
  /** Whether the provider voids a cancelled authorisation and withdraws a notice from the investor. */
  readonly voids: boolean;
  /** Whether the provider chooses the `tr` of a URI; then each attempt has another one. */
  readonly drawsTr: boolean;
  /** Whether the provider reports the terms of a mandate with its state (`mandate_modification`). */
  readonly reportsTerms: boolean;
  /** Business time, which `pass` moves: an ISO 8601 duration. */
  now(): Promise<Date>;
  pass(duration: string): Promise<void>;
  /** `overtaken`: executed only after our call has timed out and its repetition has been executed. */
  disturb(
    call: MandateCall,
    how: 'lost' | 'late' | 'slow' | 'overtaken' | 'status_500' | 'nonsense',
  ): Promise<void>;
  disturbCallback(
    topic: 'payments' | 'mandates',
    how: 'lost' | 'duplicate' | 'reorder' | 'nonsense',
  ): Promise<void>;
  act(mandateId: number, what: MandateAct): Promise<void>;
  pay(paymentId: number): Promise<void>;
  decline(paymentId: number, failureCode: PaymentFailureCode): Promise<void>;
  read(callback: StageCallback): Promise<PaymentCallback>;
  /** The callbacks about a payment's reference so far, in the order of their arrival. */
  callbacks(reference: string): Promise<readonly StageCallback[]>;
  /** The reported states of a mandate so far, in the order of arrival. */
  reportedStates(
    token: string,
  ): Promise<readonly { readonly event_id: string; readonly state: ReportedMandateState }[]>;
  end(): Promise<void>;
}
export type ReportedMandateState = MandateState['status'] | null;

/** A mandate of up to ₹5,000 per debit for 30 years, with half an hour to authorise it. */
export async function newRegistration(
  stage: MandateStage,
  parts: Partial<MandateRegistration> = {},
): Promise<MandateRegistration> {
  const id = drawNumber();
  const now = await stage.now();
  return {
    ...{ reference: `P${String(id).padStart(12, '0')}`, payment_id: id, mandate_id: id, tenant: 'demo' },
    ...{ payee_name: 'Demo Fund Services' },
    ...{ mandate_ref: `man_${id}`, mandate_type: 'UPI', limit: Decimal.parse('5000') },
    ...{ valid_from: istDate(now), valid_to: addDays(istDate(now), 365 * 30) },
    payer: { account_number: '1', ifsc_code: 'HDFC0000001', name: 'Asha Rao', account_type: 'savings' },
    contact: { email: `a${id}@example.com`, mobile: '+919000000001' },
    expires_at: new Date(now.getTime() + 1_800_000),
    ...parts,
  };
}

/** An authorisation whose investor has its URI. */
export async function asked(
  stage: MandateStage,
  parts: Partial<MandateRegistration> = {},
): Promise<MandateRegistration> {
  const registration = await newRegistration(stage, parts);
  expect(await stage.mandates.authoriseByUri(registration)).toMatchObject({ kind: 'yes' });
  return registration;
}

export async function authorisationOf(stage: MandateStage, reference: string): Promise<AuthorisationStatus> {
  const answer = await stage.mandates.authorisationStatus(reference);
  if (answer.kind !== 'yes') throw new Error(JSON.stringify(answer));
  return answer.value;
}

/** A mandate that the investor has authorised. */
export async function authorised(
  stage: MandateStage,
  parts: Partial<MandateRegistration> = {},
): Promise<{ registration: MandateRegistration; mandate: ProviderMandate }> {
  const registration = await asked(stage, parts);
  await stage.pay(registration.payment_id);
  const status = await eventually(
    () => authorisationOf(stage, registration.reference),
    (authorisation) => authorisation.status === 'approved',
  );
  if (status.status !== 'approved') throw new Error(status.status);
  const { mandate_token, provider_id, umrn } = status;
  const { mandate_type } = registration;
  return { registration, mandate: { mandate_type, mandate_token, provider_id, umrn } };
}

/** The whole answer about a mandate in that state whose terms are those of its registration. */
export function stateOf(
  { reportsTerms }: MandateStage,
  { limit, valid_to }: MandateRegistration,
  status: MandateState['status'],
) {
  return { kind: 'yes', value: { status, ...(reportsTerms && { terms: { limit, valid_to } }) } };
}

/** The first attempt to debit ₹1,001.50, which has no notice yet. */
export async function newDebit(
  stage: MandateStage,
  mandate: ProviderMandate,
  parts: Partial<ProviderDebit> = {},
): Promise<ProviderNotice> {
  const id = drawNumber();
  const number = String(id).padStart(12, '0');
  return {
    ...{ reference: `D${number}1`, payment_reference: `P${number}`, mandate_ref: 'man_9' },
    ...{ merchant: 'Demo Funds', reason: 'Mutual fund order 501' },
    ...{ payment_id: id, tenant: 'demo', amount: Decimal.parse('1001.5'), mandate, attempt: 1 },
    ...{ execute_at: await stage.now(), notice_number: 1, notice_reference: null },
    contact: { email: `a${id}@example.com`, mobile: '+919000000001' },
    ...parts,
  };
}

/** A debit whose investor was notified a day ago. */
export async function noticed(
  stage: MandateStage,
  mandate: ProviderMandate,
  parts: Partial<ProviderDebit> = {},
): Promise<ProviderNotice> {
  const debit = await newDebit(stage, mandate, parts);
  const notice = await stage.mandates.notifyDebit(debit);
  if (notice.kind !== 'yes') throw new Error(JSON.stringify(notice));
  await stage.pass('P1D');
  const { notice_reference } = notice.value;
  return { ...debit, notice_reference, execute_at: await stage.now() };
}

/** The final status of an attempt. */
export function debited(stage: MandateStage, debit: ProviderDebit) {
  return eventually(
    () => stage.mandates.debitStatus(debit),
    (answer) => answer.kind === 'yes' && answer.value.status !== 'waiting',
  );
}
