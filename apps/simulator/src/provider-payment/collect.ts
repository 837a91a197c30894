/** What a played payer does with a collect request, and how long after it was sent (business time). Null: nothing by itself. */
export type CollectAnswer = { readonly does: 'pay' | 'decline'; readonly afterMs: number } | null;

/** The payers of contract §7. Whoever is not among them is played by hand: through the page or the simulate route. */
const PAYERS: ReadonlyMap<string, CollectAnswer> = new Map([
  ['success@upi', { does: 'pay', afterMs: 0 }],
  ['failure@upi', { does: 'decline', afterMs: 0 }],
  ['timeout@upi', null],
  // Contract §10 "Sandbox": seven minutes, when we have given up after five.
  ['late@upi', { does: 'pay', afterMs: 7 * 60_000 }],
]);

/** Nobody has this VPA: the provider refuses to ask it. */
const UNKNOWN_VPA = 'unknown@upi';

export function collectAnswer(vpa: string): CollectAnswer {
  return PAYERS.get(vpa.toLowerCase()) ?? null;
}

export function isKnownVpa(vpa: string): boolean {
  return vpa.toLowerCase() !== UNKNOWN_VPA;
}
