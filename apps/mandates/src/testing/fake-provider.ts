import { MANDATE_TYPES, type MandateType } from '@fundrail/contracts';
import { BadSignature, UnreadableCallback } from '@fundrail/providers';
import type {
  Answer,
  CallbackHeaders,
  MandateCallback,
  MandateState,
  ProviderMandate,
} from '@fundrail/providers';
import type { MandateProvider } from '../outside/mandate-providers.ts';

export const YES = { kind: 'yes', value: null } as const;
export const SILENCE = { kind: 'unknown', why: 'no_answer', detail: 'time-out' } as const;
export const REFUSAL = { kind: 'no', failure_code: 'try_later', message: 'not now' } as const;
export const NOT_FOUND = { kind: 'not_found' } as const;

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
  onStatus: (token: string) => Answer<MandateState> | Promise<Answer<MandateState>> = (token) => ({
    kind: 'yes',
    value: { status: this.states.get(token) ?? 'active' },
  });

  revoke({ mandate_token }: ProviderMandate, reference: string): Promise<Answer<null>> {
    this.revoked.push({ token: mandate_token, reference });
    return Promise.resolve(this.onRevoke());
  }

  async mandateStatus({ mandate_token }: ProviderMandate): Promise<Answer<MandateState>> {
    this.asked.push(mandate_token);
    return this.onStatus(mandate_token);
  }

  /** The body is the callback as JSON, and the signature is a word. A state that is not one of ours is not understood. */
  readMandateCallback(headers: CallbackHeaders, rawBody: string): Promise<MandateCallback> {
    if (headers['x-gatewaypoa-signature'] !== 'good') throw new BadSignature('not ours');
    const { event_id, mandate_token, state } = JSON.parse(rawBody) as Partial<MandateCallback>;
    if (event_id === undefined || mandate_token === undefined)
      throw new UnreadableCallback('contains no mandate');
    return Promise.resolve({ event_id, mandate_token, state: state ?? null });
  }
}
