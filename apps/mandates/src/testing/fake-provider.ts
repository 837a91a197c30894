import { MANDATE_TYPES, type MandateType } from '@fundrail/contracts';
import { BadSignature, UnreadableCallback } from '@fundrail/providers';
import type { PaymentFailureCode } from '@fundrail/contracts';
import type {
  Answer,
  CallbackHeaders,
  DebitNotice,
  MandateCallback,
  MandateState,
  MandateTerms,
  ProviderDebit,
  ProviderMandate,
  ProviderPaymentStatus,
} from '@fundrail/providers';
import { NOT_FOUND, YES } from '@fundrail/testing';
import type { MandateProvider } from '../outside/mandate-providers.ts';

export { NOT_FOUND, SILENCE, YES } from '@fundrail/testing';
export const REFUSAL = { kind: 'no', failure_code: 'try_later', message: 'not now' } as const;

/** A provider of mandates with answers set by the test. It records its calls. */
export class FakeProvider implements MandateProvider {
  constructor(readonly types: readonly MandateType[] = MANDATE_TYPES) {}

  /** The tokens to revoke, each with the reference of the call, in order. */
  readonly revoked: { readonly token: string; readonly reference: string }[] = [];
  /** The tokens whose status was requested, in order. */
  readonly asked: string[] = [];
  onRevoke: () => Answer<null> = () => YES;
  /** The states of mandates at the provider. Mandates without an entry are active. */
  readonly states = new Map<string, MandateState['status']>();
  /** The terms that investors have changed there. */
  readonly terms = new Map<string, MandateTerms>();
  onStatus: (token: string) => Answer<MandateState> | Promise<Answer<MandateState>> = (token) => {
    const terms = this.terms.get(token);
    return { kind: 'yes', value: { status: this.states.get(token) ?? 'active', ...(terms && { terms }) } };
  };

  readonly mayDebitTwice = false;
  /** The debits of the notices and executions, in order. */
  readonly notices: ProviderDebit[] = [];
  readonly executed: ProviderDebit[] = [];
  /** The references of the status queries. */
  readonly queried: string[] = [];
  onExecute: () => Answer<null, PaymentFailureCode> | Promise<Answer<null, PaymentFailureCode>> = () => YES;

  notifyDebit(debit: ProviderDebit): Promise<Answer<DebitNotice, PaymentFailureCode>> {
    this.notices.push(debit);
    const { payment_id, amount, execute_at } = debit;
    const notice = { notice_reference: `notice ${payment_id}`, proof: 'sent', amount, execute_at };
    return Promise.resolve({ kind: 'yes', value: { ...notice, sent_at: null } });
  }

  withdrawNotice(): Promise<Answer<null>> {
    return Promise.resolve(YES);
  }

  async executeDebit(debit: ProviderDebit): Promise<Answer<null, PaymentFailureCode>> {
    this.executed.push(debit);
    return this.onExecute();
  }

  debitStatus({ reference }: ProviderDebit): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>> {
    this.queried.push(reference);
    const isKnown = this.executed.some((debit) => debit.reference === reference);
    return Promise.resolve(isKnown ? { kind: 'yes', value: { status: 'waiting' } } : NOT_FOUND);
  }

  revoke({ mandate_token }: ProviderMandate, reference: string): Promise<Answer<null>> {
    this.revoked.push({ token: mandate_token, reference });
    return Promise.resolve(this.onRevoke());
  }

  async mandateStatus({ mandate_token }: ProviderMandate): Promise<Answer<MandateState>> {
    this.asked.push(mandate_token);
    return this.onStatus(mandate_token);
  }

  /** The body is the callback as JSON, and the signature is a word. A state that is not one of ours is not understood. Changed terms are in each. */
  readMandateCallback(headers: CallbackHeaders, rawBody: string): Promise<MandateCallback> {
    if (headers['x-gatewaypoa-signature'] !== 'good') throw new BadSignature('not ours');
    const { event_id, mandate_token, state } = JSON.parse(rawBody) as Partial<MandateCallback>;
    if (event_id === undefined || mandate_token === undefined)
      throw new UnreadableCallback('contains no mandate');
    const terms = this.terms.get(mandate_token);
    return Promise.resolve({ event_id, mandate_token, state: state ?? null, ...(terms && { terms }) });
  }
}
