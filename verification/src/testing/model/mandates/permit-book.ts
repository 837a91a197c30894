/** A permit that mandates granted, as sent over the wire. */
export interface PermitRequest {
  readonly mandate_id: number;
  readonly payment_id: number;
  readonly step: 'notify' | 'execute';
  readonly attempt: number;
}

/** The state of a mandate as reported to the caller: from then on only debits in flight get permits. */
interface Closed {
  readonly status: string;
  readonly inFlight: ReadonlySet<number>;
  /** How often the investor had resumed the mandate by then. */
  readonly resumes: number;
}

const keyOf = ({ payment_id, step, attempt }: Omit<PermitRequest, 'mandate_id'>) =>
  `${payment_id} ${step} ${attempt}`;

/** Records every permit, and which of them were used (DEB-5). */
export class PermitBook {
  /** Descriptions of broken rules. */
  readonly broken: string[] = [];
  /** Permits that no call has used yet. */
  private readonly unused = new Map<string, number>();
  /** Permits after a pause that the investor may have ended just before. */
  private doubted: { readonly mandate_id: number; readonly closed: Closed; readonly what: string }[] = [];
  private readonly granted = new Set<string>();
  private readonly closed = new Map<number, Closed>();

  /** Mandates has granted it. A caller that did not receive the answer may not use it, but mandates reports the debit as in flight. */
  grant(asked: PermitRequest, isReceived = true): void {
    const key = keyOf(asked);
    const closed = this.closed.get(asked.mandate_id);
    const isInFlight =
      asked.step === 'execute' && this.granted.has(key) && closed?.inFlight.has(asked.payment_id);
    const what = `permit ${key} was granted after ${closed?.status} was reported to the caller`;
    if (closed && !isInFlight) this.doubted.push({ mandate_id: asked.mandate_id, closed, what });
    this.granted.add(key);
    if (isReceived) this.unused.set(key, (this.unused.get(key) ?? 0) + 1);
  }

  /** A provider is called: each call needs its own permit. */
  use(call: Omit<PermitRequest, 'mandate_id'>): void {
    const key = keyOf(call);
    const left = this.unused.get(key) ?? 0;
    if (left === 0) this.broken.push(`the provider was called for ${key} without a permit`);
    else this.unused.set(key, left - 1);
  }

  wasGranted(call: Omit<PermitRequest, 'mandate_id'>): boolean {
    return this.granted.has(keyOf(call));
  }

  /** The caller was notified that the mandate may not be debited any more. */
  close(mandate_id: number, status: string, inFlight: readonly number[], resumes = 0): void {
    if (this.closed.get(mandate_id)?.status === status) return;
    this.closed.set(mandate_id, { status, inFlight: new Set(inFlight), resumes });
  }

  /** The investor has resumed the mandate. */
  reopen(mandate_id: number): void {
    this.closed.delete(mandate_id);
  }

  /**
   * Decides about the doubted permits of a mandate: a permit is correct if the investor has resumed the mandate since. `resumes`: how often
   * until now.
   */
  judge(mandate_id: number, resumes: number): void {
    const own = this.doubted.filter((doubt) => doubt.mandate_id === mandate_id);
    this.doubted = this.doubted.filter((doubt) => doubt.mandate_id !== mandate_id);
    for (const { closed, what } of own)
      if (closed.status !== 'PAUSED' || closed.resumes === resumes) this.broken.push(what);
  }
}
