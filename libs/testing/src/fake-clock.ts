/** A wall clock that stands still until a test moves it. Replaces service-kit's `Clock`. */
export class FakeClock {
  #now: number;

  constructor(start: Date | string = '2026-12-21T10:00:00.000+05:30') {
    this.#now = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#now);
  }

  advance(ms: number): void {
    this.#now += ms;
  }

  set(to: Date | string): void {
    this.#now = new Date(to).getTime();
  }
}
