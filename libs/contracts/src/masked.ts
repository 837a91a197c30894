/**
 * Personal data (PAN, account number, VPA, e-mail, mobile) that must not reach a log, a trace or an internal event by
 * accident: it prints as `***` everywhere, and `reveal()` is the one visible way to the value (architecture, rule 10).
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
