/**
 * Personal data (PAN, account number, VPA, e-mail, mobile) that must not reach a log, a trace or an internal event by
 * accident: it prints as `***`, and only `reveal()` returns the value (CONV-38, DATA-5).
 */
export class Masked {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '***';
  }

  toJSON(): string {
    return '***';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '***';
  }
}
