import {
  admitDebit,
  beginAuthorisation,
  closePermit,
  mandateFact,
  parseJson,
  releaseAuthorisation,
  releaseDebit,
  takePermit,
  takePermits,
} from '@fundrail/contracts';
import type { MandateFacts, TakePermit } from '@fundrail/contracts';
import type { TransportAnswer } from '@fundrail/service-kit/http';
import { answered, noSuchObject } from '@fundrail/testing';
import { rupees } from './payments.builder.ts';

type Refusal = {
  code: string;
  message: string;
  errors: { field: string; message: string }[];
  held_by: number | null;
};

/** A mandate as the fake stores it; `authorising` is the payment of its running authorisation. */
export interface FakeMandate extends Omit<MandateFacts, 'mandate_status'> {
  mandate_status: MandateFacts['mandate_status'];
  authorising: number | null;
}

/** A fake of the service mandates: a simple version of its rules, over the data that a test sets. */
export class FakeMandates {
  readonly mandates = new Map<number, FakeMandate>();
  /** Live and successful debits: payment → order. */
  readonly debits = new Map<number, { mandate_id: number; old_id: number }>();
  /** Every call that changes something, in order, as `path payment`. */
  readonly calls: string[] = [];
  /** Permits that are open, as `payment step attempt`. */
  readonly open = new Set<string>();
  readonly granted: string[] = [];
  /** The provider's event ids that payments has forwarded, in order. */
  readonly forwarded: string[] = [];
  /** Mandates in doubt: the provider has reported a change that is not confirmed. */
  readonly doubted = new Set<number>();
  /** Paths whose effect happens but whose answer is lost. */
  readonly loses = new Set<string>();
  /** Awaited before a permit is decided. */
  beforePermit: (request: TakePermit) => Promise<void> = () => Promise.resolve();
  /** Awaited before a permit is closed. */
  beforeClose: () => Promise<void> = () => Promise.resolve();
  private nextId = 501;

  constructor(private readonly investor: string) {}

  aMandate(changes: Partial<FakeMandate> = {}): FakeMandate {
    const id = this.nextId++;
    const mandate: FakeMandate = {
      id,
      tenant: 'demo',
      mandate_ref: `man_${String(id).padStart(32, '0')}`,
      mandate_type: 'UPI',
      mandate_status: 'CREATED',
      mandate_limit: rupees('10000'),
      valid_from: '2026-12-01',
      valid_to: '2056-12-01',
      bank_account_id: 7,
      investor_profile: this.investor,
      provider_name: 'GATEWAYPOA',
      mandate_token: null,
      umrn: null,
      provider_id: null,
      authorising: null,
      ...changes,
    };
    this.mandates.set(id, mandate);
    return mandate;
  }

  /** A mandate that may be debited. */
  anApproved(changes: Partial<FakeMandate> = {}): FakeMandate {
    return this.aMandate({ mandate_status: 'APPROVED', mandate_token: `token_${this.nextId}`, ...changes });
  }

  async answer(url: URL, body: string): Promise<TransportAnswer> {
    const path = url.pathname.replace('/internal/mandates/', '');
    if (/^\d+$/.test(path)) return this.facts(Number(path), url.searchParams.get('tenant'));
    const answer = answered(await this.decide(path, parseJson(body)));
    if (this.loses.has(path)) throw new Error('socket hang up');
    return answer;
  }

  private facts(id: number, tenant: string | null): TransportAnswer {
    const mandate = this.mandates.get(id);
    if (mandate?.tenant === tenant) return answered(factsOf(mandate));
    return noSuchObject();
  }

  private decide(path: string, body: unknown): object | Promise<object> {
    switch (path) {
      case 'authorisations':
        return this.begin(body);
      case 'authorisations/release': {
        const { mandate_id, payment_id } = releaseAuthorisation.parse(body);
        this.calls.push(`release ${payment_id}`);
        const mandate = this.mandates.get(mandate_id);
        const released = mandate?.authorising === payment_id;
        if (mandate && released) mandate.authorising = null;
        return { released };
      }
      case 'debits':
        return this.admit(body);
      case 'debits/release': {
        const { payment_id } = releaseDebit.parse(body);
        this.calls.push(`release ${payment_id}`);
        return { released: this.debits.delete(payment_id) };
      }
      case 'facts':
        this.forwarded.push(mandateFact.parse(body).event_id);
        return { taken: true };
      case 'permits':
        return this.permit(body);
      case 'permits/batch':
        return this.permitAll(body);
      case 'permits/close':
        return this.close(body);
      default:
        throw new Error(`no route ${path}`);
    }
  }

  private async close(body: unknown): Promise<object> {
    const { payment_id, step, attempt } = closePermit.parse(body);
    await this.beforeClose();
    return { closed: this.open.delete(`${payment_id} ${step} ${attempt}`) };
  }

  private begin(body: unknown): object {
    const { tenant, mandate_id, payment_id, replaces } = beginAuthorisation.parse(body);
    this.calls.push(`begin ${payment_id}`);
    const mandate = this.mandates.get(mandate_id);
    if (mandate?.tenant !== tenant) return refused('BAD_REQUEST_ERROR', { errors: [unknownMandate] });
    if (mandate.mandate_status !== 'CREATED') return refused('ILLEGAL_TRANSITION');
    const held = mandate.authorising;
    if (held !== null && held !== payment_id && !replaces.includes(held))
      return refused('AUTH_IN_PROGRESS', { held_by: held });
    mandate.authorising = payment_id;
    return { outcome: 'begun', mandate: factsOf(mandate) };
  }

  private admit(body: unknown): object {
    const request = admitDebit.parse(body);
    const { mandate_id, payment_id, old_id, replaces } = request;
    this.calls.push(`admit ${payment_id}`);
    const mandate = this.mandates.get(mandate_id);
    if (mandate?.tenant !== request.tenant) return refused('BAD_REQUEST_ERROR', { errors: [unknownMandate] });
    if (mandate.mandate_status !== 'APPROVED' || request.debit_date > mandate.valid_to)
      return refused('MANDATE_NOT_APPROVED');
    if (request.investor_profile !== mandate.investor_profile)
      return refused('BAD_REQUEST_ERROR', {
        errors: [{ field: 'mandate_id', message: 'is another investor' }],
      });
    if (
      !mandate.mandate_limit.minus(request.amount).isPositive() &&
      !mandate.mandate_limit.equals(request.amount)
    )
      return refused('MANDATE_LIMIT_EXCEEDED');
    if (this.doubted.has(mandate_id)) return { outcome: 'later' };
    for (const id of replaces) this.debits.delete(id);
    const other = [...this.debits].find(([id, debit]) => id !== payment_id && debit.old_id === old_id);
    if (other) return refused('PAYMENT_ALREADY_EXISTS', { held_by: other[0] });
    this.debits.set(payment_id, { mandate_id, old_id });
    return { outcome: 'admitted', mandate: factsOf(mandate) };
  }

  private async permitAll(body: unknown): Promise<object> {
    const results: object[] = [];
    for (const permit of takePermits.parse(body).permits) {
      const { mandate: _, ...result } = (await this.permit(permit)) as Record<string, unknown>;
      results.push({ ...result, payment_id: permit.payment_id });
    }
    return { results };
  }

  private async permit(body: unknown): Promise<object> {
    const request = takePermit.parse(body);
    await this.beforePermit(request);
    const key = `${request.payment_id} ${request.step} ${request.attempt}`;
    const mandate = this.mandates.get(request.mandate_id);
    const inFlight = request.step === 'execute' && this.open.has(key) && !request.resend;
    if (!mandate || (mandate.mandate_status !== 'APPROVED' && !inFlight))
      return { outcome: 'refused', code: 'mandate_cancelled' };
    if (request.step === 'notify' && request.execute_on > mandate.valid_to)
      return { outcome: 'refused', code: 'mandate_cancelled' };
    if (this.doubted.has(mandate.id) && !inFlight) return { outcome: 'later' };
    this.open.add(key);
    this.granted.push(key);
    return { outcome: 'granted', mandate: factsOf(mandate) };
  }
}

const unknownMandate = { field: 'mandate_id', message: 'is not a mandate of this tenant' };

function refused(code: string, changes: Partial<Refusal> = {}): object {
  return { outcome: 'refused', code, message: code, errors: [], held_by: null, ...changes };
}

function factsOf({ authorising: _, ...facts }: FakeMandate): object {
  return facts;
}
