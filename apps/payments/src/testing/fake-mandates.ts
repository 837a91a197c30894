import {
  admitDebit,
  admitDebits,
  askMandates,
  beginAuthorisation,
  cancelDebit,
  mandateFact,
  parseJson,
  releaseAuthorisation,
  releaseDebit,
} from '@fundrail/contracts';
import type { AdmitDebit, CancelledDebit, MandateFacts } from '@fundrail/contracts';
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
  /** The paths of all calls, in order. */
  readonly paths: string[] = [];
  /** The provider's event ids that payments has forwarded, in order. */
  readonly forwarded: string[] = [];
  /** Paths whose effect happens but whose answer is lost. */
  readonly loses = new Set<string>();
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
    this.paths.push(path);
    if (/^\d+$/.test(path)) return this.facts(Number(path), url.searchParams.get('tenant'));
    const answer = answered(await this.decide(path, parseJson(body)));
    if (this.loses.has(path)) throw new Error('socket hang up');
    return answer;
  }

  private facts(id: number, tenant: string | null): TransportAnswer {
    const mandate = this.mandates.get(id);
    if (mandate?.tenant === tenant) return answered({ ...factsOf(mandate), debits: TERMS });
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
      case 'batch': {
        const found = askMandates.parse(body).mandates.flatMap(({ id, tenant }) => {
          const mandate = this.mandates.get(id);
          return mandate?.tenant === tenant ? [factsOf(mandate)] : [];
        });
        return { mandates: found };
      }
      case 'debits':
        return this.admit(admitDebit.parse(body));
      case 'debits/batch':
        return { results: admitDebits.parse(body).debits.map((debit) => this.admit(debit)) };
      case 'debits/release': {
        const { payment_id } = releaseDebit.parse(body);
        this.calls.push(`release ${payment_id}`);
        return { released: this.debits.delete(payment_id) };
      }
      case 'facts':
        this.forwarded.push(mandateFact.parse(body).event_id);
        return { taken: true };
      case 'debits/cancel': {
        this.calls.push(`cancel ${cancelDebit.parse(body).payment_id}`);
        return { outcome: 'cancelled' } satisfies CancelledDebit;
      }
      default:
        throw new Error(`no route ${path}`);
    }
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

  private admit(request: AdmitDebit): object {
    const { mandate_id, payment_id, old_id, replaces } = request;
    this.calls.push(`admit ${payment_id} ${request.first_on ?? ''}`.trim());
    const mandate = this.mandates.get(mandate_id);
    if (mandate?.tenant !== request.tenant) return refused('BAD_REQUEST_ERROR', { errors: [unknownMandate] });
    if (mandate.mandate_status !== 'APPROVED' || DEBIT_DATE > mandate.valid_to)
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
    for (const id of replaces) this.debits.delete(id);
    const other = [...this.debits].find(([id, debit]) => id !== payment_id && debit.old_id === old_id);
    if (other) return refused('PAYMENT_ALREADY_EXISTS', { held_by: other[0] });
    this.debits.set(payment_id, { mandate_id, old_id });
    return { outcome: 'admitted', mandate: factsOf(mandate), debit_date: DEBIT_DATE };
  }
}

/** The expected day of each debit. */
const DEBIT_DATE = '2026-12-22';

/** The rules of debits by default, as the hosted page shows them. */
const TERMS = { notice_hours: 25, most_attempts: 4, emandate_from: '10:00', emandate_retry_days: 2 };

const unknownMandate = { field: 'mandate_id', message: 'is not a mandate of this tenant' };

function refused(code: string, changes: Partial<Refusal> = {}): object {
  return { outcome: 'refused', code, message: code, errors: [], held_by: null, ...changes };
}

function factsOf({ authorising: _, ...facts }: FakeMandate): object {
  return facts;
}
