import type { StageCallback } from '../conformance-stage.ts';
import { sign } from './callback.ts';

type Sent = StageCallback & { readonly reference: string };

/** The signed callbacks that the simulated thirdpay has sent. */
export class ThirdpayCallbacks {
  readonly sent: Sent[] = [];
  /** What happens to the next callback. */
  next: 'lost' | 'duplicate' | 'reorder' | 'nonsense' | null = null;
  /** Gets each callback too. */
  receive: (callback: StageCallback) => void = () => undefined;
  #held: Sent | null = null;
  #events = 0;

  constructor(private readonly secret: string) {}

  send(reference: string, said: object): void {
    const how = this.next;
    this.next = null;
    const id = `event ${(this.#events += 1)}`;
    const content = how === 'nonsense' ? { charge: { state: 'teleported' } } : said;
    const raw = JSON.stringify({ id, reference, ...content });
    const callback = { reference, raw, headers: { 'thirdpay-signature': sign(this.secret, raw) } };
    if (how === 'lost') return;
    if (how === 'reorder') return void (this.#held = callback);
    const all = [callback, ...(how === 'duplicate' ? [callback] : []), ...(this.#held ? [this.#held] : [])];
    this.#held = null;
    this.sent.push(...all);
    all.forEach(this.receive);
  }

  of(reference: string): readonly Sent[] {
    return this.sent.filter((callback) => callback.reference === reference);
  }
}
