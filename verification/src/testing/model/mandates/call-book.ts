/** A call that executes an attempt of a debit. */
interface ExecutionCall {
  readonly mandate_id: number;
  readonly payment_id: number;
  readonly attempt: number;
}

/** The state of a mandate as reported to the caller: from then on only debits in flight are executed. */
interface Closed {
  readonly status: string;
  readonly inFlight: ReadonlySet<number>;
  /** How often the investor had resumed the mandate by then. */
  readonly resumes: number;
}

/** Records the mandates that may not be debited any more, and checks every execution against them (DEB-5). */
export class CallBook {
  /** Descriptions of broken rules. */
  readonly broken: string[] = [];
  /** Calls after a pause that the investor may have ended just before. */
  private doubted: { readonly mandate_id: number; readonly closed: Closed; readonly what: string }[] = [];
  private readonly closed = new Map<number, Closed>();

  /** A provider is called to execute an attempt. */
  use({ mandate_id, payment_id, attempt }: ExecutionCall): void {
    const closed = this.closed.get(mandate_id);
    if (!closed || closed.inFlight.has(payment_id)) return;
    const what = `attempt ${attempt} of ${payment_id} was sent after ${closed.status} was reported to the caller`;
    this.doubted.push({ mandate_id, closed, what });
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
   * Decides about the doubted calls of a mandate: a call is correct if the investor has resumed the mandate since. `resumes`: how often
   * until now.
   */
  judge(mandate_id: number, resumes: number): void {
    const own = this.doubted.filter((doubt) => doubt.mandate_id === mandate_id);
    this.doubted = this.doubted.filter((doubt) => doubt.mandate_id !== mandate_id);
    for (const { closed, what } of own)
      if (closed.status !== 'PAUSED' || closed.resumes === resumes) this.broken.push(what);
  }
}
