/**
 * The kind of an audit's finding: a promised thing that is gone, a doubled effect, a broken order, or work that never ended.
 */
export type FindingKind = 'lost' | 'doubled' | 'out_of_order' | 'unfinished';

/** One thing that an audit found wrong. `what` names it for a person who searches the databases. */
export interface Finding {
  readonly kind: FindingKind;
  readonly what: string;
}

/** The kind of finding for a fact that only one side has. */
export interface SidesOf {
  readonly onlyHere: FindingKind;
  readonly onlyThere: FindingKind;
}

/** Compares the facts of two sides. Each fact must be on both sides, once: a second refund under one receipt moves money too. */
export function differences(
  what: string,
  here: readonly string[],
  there: readonly string[],
  { onlyHere, onlyThere }: SidesOf,
): Finding[] {
  const [ours, theirs] = [new Set(here), new Set(there)];
  const missing = [...ours].filter((value) => !theirs.has(value));
  const surplus = [...theirs].filter((value) => !ours.has(value));
  return [
    ...repeated(here).map((value): Finding => ({ kind: 'doubled', what: `${what} ${value} is there twice` })),
    ...repeated(there).map((value): Finding => ({
      kind: 'doubled',
      what: `${what} ${value} is on the other side twice`,
    })),
    ...missing.map((value): Finding => ({ kind: onlyHere, what: `${what} ${value} is on our side only` })),
    ...surplus.map((value): Finding => ({
      kind: onlyThere,
      what: `${what} ${value} is on the other side only`,
    })),
  ];
}

function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}
