import { z } from 'zod';
import type { ThirdpayCallbacks } from './thirdpay-callbacks.ts';

/** A charge, or an attempt of a debit. */
export interface Booked {
  readonly reference: string;
  readonly payment_id: number;
  readonly paise: number;
  readonly link: string | null;
  state: 'open' | 'paid' | 'refused' | 'void';
  why: string;
  times: number;
}

/** An answer over HTTP. */
export interface Said {
  readonly status: number;
  readonly body: object;
}

const text = z.string().default('');
/** What the requests to thirdpay hold. */
export const asked = z.object({
  ...{
    payment_id: z.number().default(0),
    mandate_id: z.number().default(0),
    rupees: z.string().default('0.00'),
  },
  words: text,
  ...{ payee: text, vpa: text, from: text, to: text, at: text, payment_reference: text, notice: text },
});
export type Asked = z.output<typeof asked>;

const LEAST_PAISE = 100;
export const refused = (problem: string): Said => ({ status: 422, body: { problem } });
export const NOT_FOUND: Said = { status: 404, body: { problem: 'not_found' } };
export const paiseOf = (rupees: string) => Number(rupees.replace('.', ''));

/** The charges of the simulated thirdpay. */
export class ThirdpayBooks {
  readonly #charges = new Map<string, Booked>();
  /** The refunds, in paise, by the charge and their own key. */
  readonly #givebacks = new Map<string, Map<string, number>>();

  constructor(private readonly callbacks: ThirdpayCallbacks) {}

  begin(reference: string, { payment_id, rupees, payee, vpa }: Asked): Said {
    if (paiseOf(rupees) < LEAST_PAISE) return refused('less_than_one_rupee');
    if (vpa === 'unknown@third') return refused('no_such_vpa');
    if (this.#charges.has(reference)) return this.chargeOf(reference);
    const link = vpa
      ? null
      : `upi://pay?pa=op.mf@validthird&pn=${encodeURIComponent(payee)}&tr=${reference}&am=${rupees}&cu=INR`;
    const open = { state: 'open', why: '', times: 0 } as const;
    this.#charges.set(reference, { reference, payment_id, paise: paiseOf(rupees), link, ...open });
    this.#givebacks.set(reference, new Map());
    if (vpa === 'pays@third') this.end(payment_id, 'paid');
    if (vpa === 'declines@third') this.end(payment_id, 'refused', 'said_no');
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

  give(reference: string, key: string, { rupees }: Asked): Said {
    const [booked, givebacks] = [this.#charges.get(reference), this.#givebacks.get(reference)];
    if (!booked || !givebacks) return NOT_FOUND;
    if (givebacks.has(key)) return this.giveOf(reference, key);
    const given = [...givebacks.values()].reduce((sum, paise) => sum + paise, 0);
    if (booked.state !== 'paid' || given + paiseOf(rupees) > booked.paise * booked.times)
      return refused('too_much');
    givebacks.set(key, paiseOf(rupees));
    this.callbacks.send(key, { giveback: { reference: key, state: 'gone' } });
    return this.giveOf(reference, key);
  }

  giveOf(reference: string, key: string): Said {
    const isGiven = this.#givebacks.get(reference)?.has(key);
    return isGiven ? { status: 200, body: { reference: key, state: 'gone' } } : NOT_FOUND;
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

  private close(booked: Booked, state: 'paid' | 'refused', why: string): void {
    close(booked, state, why);
    this.callbacks.send(booked.reference, { charge: charged(booked) });
  }
}

export function close(booked: Booked, state: 'paid' | 'refused', why: string): void {
  Object.assign(booked, { state, why, times: booked.times + (state === 'paid' ? 1 : 0) });
}

/** A charge as it is answered and reported. */
export function charged({ reference, link, state, why, paise, times }: Booked): object {
  const rupees = `${Math.floor(paise / 100)}.${String(paise % 100).padStart(2, '0')}`;
  const receipts = Array.from({ length: times }, (_, index) => `T-${reference}-${index + 1}`);
  if (state === 'paid') return { reference, link, state, rupees, receipts };
  return state === 'refused' ? { reference, link, state, why } : { reference, link, state };
}
