/** A leave that mandates gave, as it went over the wire. */
export interface PermitAsked {
  readonly mandate_id: number;
  readonly payment_id: number;
  readonly step: 'notify' | 'execute';
  readonly attempt: number;
}

/** What of a mandate has been told to the caller: no leave is given from then on, but for what was in flight. */
interface Closed {
  readonly status: string;
  readonly inFlight: ReadonlySet<number>;
  /** How often the investor had resumed it by then. */
  readonly resumes: number;
}

const keyOf = ({ payment_id, step, attempt }: Omit<PermitAsked, 'mandate_id'>) =>
  `${payment_id} ${step} ${attempt}`;

/** Writes down every permit as it goes by, and which of them were used (contract §4 "permits"). */
export class PermitBook {
  /** Rules that were broken, in words. */
  readonly broken: string[] = [];
  /** Granted and not used by a call yet. */
  private readonly unused = new Map<string, number>();
  /** Granted after a pause, which the investor may have ended just before. */
  private doubted: { readonly mandate_id: number; readonly closed: Closed; readonly what: string }[] = [];
  private readonly granted = new Set<string>();
  private readonly closed = new Map<number, Closed>();

  /** Mandates has granted it. Who has not heard so has no leave, but mandates tells it as in flight. */
  grant(asked: PermitAsked, isHeard = true): void {
    const key = keyOf(asked);
    const closed = this.closed.get(asked.mandate_id);
    const isInFlight =
      asked.step === 'execute' && this.granted.has(key) && closed?.inFlight.has(asked.payment_id);
    const what = `permit ${key} was granted after ${closed?.status} was told to the caller`;
    if (closed && !isInFlight) this.doubted.push({ mandate_id: asked.mandate_id, closed, what });
    this.granted.add(key);
    if (isHeard) this.unused.set(key, (this.unused.get(key) ?? 0) + 1);
  }

  /** A provider is called: each call needs a leave of its own. */
  use(call: Omit<PermitAsked, 'mandate_id'>): void {
    const key = keyOf(call);
    const left = this.unused.get(key) ?? 0;
    if (left === 0) this.broken.push(`the provider was called for ${key} without a permit`);
    else this.unused.set(key, left - 1);
  }

  wasGranted(call: Omit<PermitAsked, 'mandate_id'>): boolean {
    return this.granted.has(keyOf(call));
  }

  /** The caller has heard that the mandate may not be debited any more. */
  close(mandate_id: number, status: string, inFlight: readonly number[], resumes = 0): void {
    if (this.closed.get(mandate_id)?.status === status) return;
    this.closed.set(mandate_id, { status, inFlight: new Set(inFlight), resumes });
  }

  /** The investor has resumed it. */
  reopen(mandate_id: number): void {
    this.closed.delete(mandate_id);
  }

  /** How often the investor has resumed the mandate by now: leave that was given after one more resumption is right. */
  judge(mandate_id: number, resumes: number): void {
    const own = this.doubted.filter((doubt) => doubt.mandate_id === mandate_id);
    this.doubted = this.doubted.filter((doubt) => doubt.mandate_id !== mandate_id);
    for (const { closed, what } of own)
      if (closed.status !== 'PAUSED' || closed.resumes === resumes) this.broken.push(what);
  }
}
