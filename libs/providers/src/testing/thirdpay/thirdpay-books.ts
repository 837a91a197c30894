import type { StageCallback } from '../conformance-stage.ts';
import { sign } from './callback.ts';

interface Booked {
  readonly reference: string;
  readonly payment_id: number;
  readonly paise: number;
  readonly link: string | null;
  state: 'open' | 'paid' | 'refused' | 'void';
  why: string;
  times: number;
  readonly givebacks: Map<string, { paise: number; state: 'going' | 'gone' }>;
}

/** An answer over HTTP. */
export interface Said {
  readonly status: number;
  readonly body: object;
}

const LEAST_PAISE = 100;
const refused = (problem: string): Said => ({ status: 422, body: { problem } });
const NOT_FOUND: Said = { status: 404, body: { problem: 'not_found' } };
const paiseOf = (rupees: string) => Number(rupees.replace('.', ''));

/** The state of the simulated thirdpay, and the callbacks that it has sent. */
export class ThirdpayBooks {
  readonly sent: (StageCallback & { readonly reference: string })[] = [];
  /** What happens to the next callback. */
  next: 'lost' | 'duplicate' | 'reorder' | 'nonsense' | null = null;
  readonly #charges = new Map<string, Booked>();
  #held: (StageCallback & { readonly reference: string }) | null = null;
  #events = 0;

  constructor(private readonly secret: string) {}

  begin(
    reference: string,
    asked: { payment_id: number; rupees: string; payee: string; vpa?: string | undefined },
  ): Said {
    if (paiseOf(asked.rupees) < LEAST_PAISE) return refused('less_than_one_rupee');
    if (asked.vpa === 'unknown@third') return refused('no_such_vpa');
    const known = this.#charges.get(reference);
    if (known) return this.chargeOf(reference);
    const link = asked.vpa
      ? null
      : `upi://pay?pa=op@third&pn=${encodeURIComponent(asked.payee)}&tr=${reference}&am=${asked.rupees}&cu=INR`;
    const { payment_id, rupees } = asked;
    const fresh = {
      reference,
      payment_id,
      paise: paiseOf(rupees),
      link,
      state: 'open',
      why: '',
      times: 0,
    } as const;
    this.#charges.set(reference, { ...fresh, givebacks: new Map() });
    if (asked.vpa === 'pays@third') this.end(payment_id, 'paid');
    if (asked.vpa === 'declines@third') this.end(payment_id, 'refused', 'said_no');
    return this.chargeOf(reference);
  }

  chargeOf(reference: string): Said {
    const booked = this.#charges.get(reference);
    return booked ? { status: 200, body: charged(booked) } : NOT_FOUND;
  }

  takeBack(reference: string): Said {
    const booked = this.#charges.get(reference);
    if (booked?.state === 'paid') return refused('already_paid');
    if (booked?.state === 'open') booked.state = 'void';
    return this.chargeOf(reference);
  }

  give(reference: string, key: string, rupees: string): Said {
    const booked = this.#charges.get(reference);
    if (!booked) return NOT_FOUND;
    if (booked.givebacks.has(key)) return this.giveOf(reference, key);
    const given = [...booked.givebacks.values()].reduce((sum, { paise }) => sum + paise, 0);
    if (booked.state !== 'paid' || given + paiseOf(rupees) > booked.paise * booked.times)
      return refused('too_much');
    booked.givebacks.set(key, { paise: paiseOf(rupees), state: 'gone' });
    this.send(key, { giveback: { reference: key, state: 'gone' } });
    return this.giveOf(reference, key);
  }

  giveOf(reference: string, key: string): Said {
    const given = this.#charges.get(reference)?.givebacks.get(key);
    return given ? { status: 200, body: { reference: key, state: given.state } } : NOT_FOUND;
  }

  end(paymentId: number, state: 'paid' | 'refused', why = ''): void {
    const booked = [...this.#charges.values()].find(({ payment_id }) => payment_id === paymentId);
    if (!booked || booked.state === 'paid') throw new Error(`no open charge for ${paymentId}`);
    this.close(booked, state, why);
  }

  /** The payer pays once more. */
  again(paymentId: number): void {
    const booked = [...this.#charges.values()].find(({ payment_id }) => payment_id === paymentId);
    if (booked?.state !== 'paid') throw new Error(`no paid charge for ${paymentId}`);
    this.close(booked, 'paid', '');
  }

  private close(booked: Booked, state: Booked['state'], why: string): void {
    Object.assign(booked, { state, why, times: booked.times + (state === 'paid' ? 1 : 0) });
    this.send(booked.reference, { charge: charged(booked) });
  }

  private send(reference: string, said: object): void {
    const how = this.next;
    this.next = null;
    const id = `event ${(this.#events += 1)}`;
    const raw = JSON.stringify({
      id,
      reference,
      ...(how === 'nonsense' ? { charge: { state: 'teleported' } } : said),
    });
    const callback = { reference, raw, headers: { 'thirdpay-signature': sign(this.secret, raw) } };
    if (how === 'lost') return;
    if (how === 'reorder') return void (this.#held = callback);
    this.sent.push(callback, ...(how === 'duplicate' ? [callback] : []), ...(this.#held ? [this.#held] : []));
    this.#held = null;
  }
}

function charged({ reference, link, state, why, paise, times }: Booked): object {
  const rupees = `${Math.floor(paise / 100)}.${String(paise % 100).padStart(2, '0')}`;
  const receipts = Array.from({ length: times }, (_, index) => `T-${reference}-${index + 1}`);
  if (state === 'paid') return { reference, link, state, rupees, receipts };
  return state === 'refused' ? { reference, link, state, why } : { reference, link, state };
}
