/** The automatic response of a simulated payer to a collect request, and its delay (business time). Null: no automatic response. */
type CollectAnswer = { readonly does: 'pay' | 'decline'; readonly afterMs: number } | null;

/** The payers of SAND-5. Any other VPA responds only through the page or the simulate route. */
export const COLLECT_PAYERS: ReadonlyMap<string, CollectAnswer> = new Map([
  ['success@upi', { does: 'pay', afterMs: 0 }],
  ['failure@upi', { does: 'decline', afterMs: 0 }],
  ['timeout@upi', null],
  // SAND-5: seven minutes, when we have given up after five.
  ['late@upi', { does: 'pay', afterMs: 7 * 60_000 }],
]);

/** A VPA that does not exist: the provider refuses a collect request to it. */
export const UNKNOWN_VPA = 'unknown@upi';

export function collectAnswer(vpa: string): CollectAnswer {
  return COLLECT_PAYERS.get(vpa.toLowerCase()) ?? null;
}

export function isKnownVpa(vpa: string): boolean {
  return vpa.toLowerCase() !== UNKNOWN_VPA;
}
