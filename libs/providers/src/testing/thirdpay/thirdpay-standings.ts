import { setTimeout as pause } from 'node:timers/promises';
import { MANDATE_URI_CODES, mandateUri } from '../../mandate-uri.ts';
import {
  charged,
  close,
  NOT_FOUND,
  paiseOf,
  refused,
  type Asked,
  type Booked,
  type Said,
} from './thirdpay-books.ts';
import type { ThirdpayCallbacks } from './thirdpay-callbacks.ts';

interface Standing {
  readonly reference: string;
  readonly payment_id: number;
  readonly mandate_id: number;
  readonly limit: number;
  readonly link: string | null;
  state: 'open' | 'taken' | 'agreed' | 'refused' | 'dead' | 'void';
  why: string;
  readonly token: string;
  /** Of the mandate, once the investor has agreed. */
  token_state: 'running' | 'resting' | 'ended';
}

interface Notice {
  readonly token: string;
  readonly said: object;
  readonly sent_at: number;
  isVoid: boolean;
}

interface Attempt extends Booked {
  readonly payment_reference: string;
  readonly notice: string;
}

/** The mandates ("standings") and debits of the simulated thirdpay. */
export class ThirdpayStandings {
  /** What happens to the bank's answer to the next debit. */
  nextResult: 'lost' | 'late' | null = null;
  now: () => number = () => Date.now();
  /** A debit needs a notice of this age. */
  leastNoticeMs = 86_400_000;
  readonly #standings = new Map<string, Standing>();
  readonly #notices = new Map<string, Notice>();
  readonly #attempts = new Map<string, Attempt>();

  constructor(
    private readonly callbacks: ThirdpayCallbacks,
    private readonly lateMs: number,
  ) {}

  begin(reference: string, body: Asked): Said {
    const { payment_id, mandate_id, rupees, vpa } = body;
    if (vpa === 'unknown@third') return refused('no_such_vpa');
    if (this.#standings.has(reference)) return this.standingOf(reference);
    const standing: Standing = {
      ...{
        reference,
        payment_id,
        mandate_id,
        limit: paiseOf(rupees),
        link: vpa ? null : linkOf(reference, body),
      },
      ...{ state: 'open', why: '', token: `tok_${reference}`, token_state: 'running' },
    };
    this.#standings.set(reference, standing);
    if (vpa === 'pays@third') this.become(standing, 'agreed');
    if (vpa === 'declines@third') this.become(standing, 'refused', 'said_no');
    return this.standingOf(reference);
  }

  standingOf(reference: string): Said {
    const standing = this.#standings.get(reference);
    return standing ? { status: 200, body: stood(standing) } : NOT_FOUND;
  }

  takeBack(reference: string): Said {
    const standing = this.#standings.get(reference);
    if (standing?.state === 'agreed') return refused('already_authorised');
    if (standing?.state === 'open') standing.state = 'void';
    return this.standingOf(reference);
  }

  tokenOf(token: string): Said {
    const standing = this.ofToken(token);
    return standing ? { status: 200, body: { token, state: standing.token_state } } : NOT_FOUND;
  }

  endToken(token: string): Said {
    const standing = this.ofToken(token);
    if (standing) standing.token_state = 'ended';
    return this.tokenOf(token);
  }

  notify(token: string, key: string, { rupees, at, words }: Asked): Said {
    const known = this.#notices.get(key);
    if (known) return known.isVoid ? { status: 409, body: {} } : { status: 200, body: known.said };
    const fault = this.faultOf(token, paiseOf(rupees));
    if (fault) return fault;
    const said = { notice: key, paise: paiseOf(rupees), at, words };
    this.#notices.set(key, { token, said, sent_at: this.now(), isVoid: false });
    return { status: 200, body: said };
  }

  withdraw(key: string): Said {
    const notice = this.#notices.get(key);
    if (!notice) return NOT_FOUND;
    if ([...this.#attempts.values()].some((attempt) => attempt.notice === key))
      return refused('already_executed');
    notice.isVoid = true;
    return { status: 200, body: notice.said };
  }

  debit(token: string, reference: string, { rupees, notice, payment_reference, payment_id }: Asked): Said {
    if (this.#attempts.has(reference)) return this.debitOf(reference);
    const paise = paiseOf(rupees);
    const notified = this.#notices.get(notice);
    const others = [...this.#attempts.values()].filter((one) => one.payment_reference === payment_reference);
    const fault = this.faultOf(token, paise);
    if (fault) return fault;
    if (!notified || notified.isVoid || this.now() - notified.sent_at < this.leastNoticeMs)
      return refused('no_notice');
    if (others.some(({ state }) => state !== 'refused')) return refused('another_attempt');
    const open = { link: null, state: 'open', why: '', times: 0 } as const;
    const attempt: Attempt = { reference, payment_reference, payment_id, notice, paise, ...open };
    this.#attempts.set(reference, attempt);
    const how = this.nextResult;
    this.nextResult = null;
    if (how === 'late') void pause(this.lateMs).then(() => this.decide(attempt));
    if (how === null) this.decide(attempt);
    return this.debitOf(reference);
  }

  debitOf(reference: string): Said {
    const attempt = this.#attempts.get(reference);
    return attempt ? { status: 200, body: charged(attempt) } : NOT_FOUND;
  }

  /** The investor agrees to a mandate, or the account is debited. */
  pay(paymentId: number): void {
    const standing = [...this.#standings.values()].find(({ payment_id }) => payment_id === paymentId);
    if (standing) return this.become(standing, 'agreed');
    const attempt = [...this.#attempts.values()].findLast(({ payment_id }) => payment_id === paymentId);
    if (attempt) this.end(attempt, 'paid');
  }

  decline(paymentId: number, why: string): void {
    const standing = [...this.#standings.values()].find(({ payment_id }) => payment_id === paymentId);
    if (standing) this.become(standing, 'refused', why);
  }

  /** What investor or bank do with a mandate. */
  act(mandateId: number, what: Standing['state'] | Standing['token_state']): void {
    const standing = [...this.#standings.values()].find(({ mandate_id }) => mandate_id === mandateId);
    if (!standing) throw new Error(`no mandate ${mandateId}`);
    if (what !== 'running' && what !== 'resting' && what !== 'ended') return this.become(standing, what);
    standing.token_state = what;
    this.callbacks.send(standing.token, { token: { token: standing.token, state: what } });
  }

  private ofToken(token: string): Standing | undefined {
    return [...this.#standings.values()].find((standing) => standing.token === token);
  }

  private faultOf(token: string, paise: number): Said | null {
    const standing = this.ofToken(token);
    if (standing?.state !== 'agreed' || standing.token_state !== 'running') return refused('not_running');
    return paise > standing.limit ? refused('above_the_limit') : null;
  }

  private become(standing: Standing, state: Standing['state'], why = ''): void {
    Object.assign(standing, { state, why });
    this.callbacks.send(standing.reference, { standing: stood(standing) });
  }

  /** An account has too little money for an amount whose last rupee digit is 3. */
  private decide(attempt: Attempt): void {
    if (Math.floor(attempt.paise / 100) % 10 === 3) this.end(attempt, 'refused', 'too_little_money');
    else this.end(attempt, 'paid');
  }

  private end(attempt: Attempt, state: 'paid' | 'refused', why = ''): void {
    close(attempt, state, why);
    this.callbacks.send(attempt.payment_reference, { attempt: attempt.reference, charge: charged(attempt) });
  }
}

function linkOf(reference: string, { payee, rupees, from, to }: Asked): string {
  return mandateUri({
    ...{ payee_vpa: 'op.mf@validthird', payee_name: payee, mandate_name: 'Plan', reference, limit: rupees },
    ...{ valid_from: from, valid_to: to, merchant_category: '6211', note: 'Plan', ...MANDATE_URI_CODES },
  });
}

function stood({ reference, link, state, why, token }: Standing): object {
  return { reference, link, state, why, token: state === 'taken' || state === 'agreed' ? token : null };
}
