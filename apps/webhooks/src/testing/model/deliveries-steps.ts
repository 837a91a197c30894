import fc from 'fast-check';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** HOOK-15 to HOOK-23, repeated here independently of the product. */
export const TABLE_MS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * SECOND);

/**
 * The behaviour of an endpoint from now on. `poison`: it refuses only object A. `slow`: it does not respond until its behaviour changes.
 */
const ANSWERS = ['well', 'failing', 'busy', 'poison', 'silent', 'slow'] as const;
export type Answering = (typeof ANSWERS)[number] | 'gone';

/** Actions that happen while two replicas run and replays continue. Null: no such action. */
export interface Race {
  readonly object: string;
  /** The number of events of the object, one after the other. */
  readonly count: number;
  /** The response to all running deliveries. */
  readonly answer: 'well' | 'failing' | null;
  readonly retry: number | null;
  readonly cancel: number | null;
  readonly url: number | null;
  readonly disable: number | null;
}

/** Endpoints and deliveries are selected by a number, modulo their count. */
export type Step =
  | { readonly do: 'publish'; readonly object: string; readonly count: number }
  | { readonly do: 'answer'; readonly at: number; readonly how: Answering }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'retry'; readonly which: number }
  | { readonly do: 'replay'; readonly at: number; readonly hours: number }
  | { readonly do: 'enable' | 'disable' | 'rotate' | 'url' | 'remove' | 'cancel'; readonly at: number }
  | { readonly do: 'race'; readonly race: Race };

const object = fc.constantFrom('A', 'A', 'B', 'C');
const count = fc.integer({ min: 1, max: 3 });
const at = fc.nat(1);
const seldom = <T>(of: fc.Arbitrary<T>) => fc.option(of, { freq: 2 });
const usually = <T>(of: fc.Arbitrary<T>) => fc.option(of, { freq: 4 });

const race: fc.Arbitrary<Race> = fc.record({
  ...{ object, count, answer: usually(fc.constantFrom('well', 'failing')) },
  ...{ retry: usually(fc.nat(30)), cancel: seldom(at), url: seldom(at), disable: seldom(at) },
});

/** Common steps are more frequent, so that sequences get far. */
const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('publish'), object, count }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('answer'), at, how: fc.constantFrom(...ANSWERS) }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('advance'),
      ms: fc.oneof(fc.constantFrom(...TABLE_MS), fc.integer({ min: 1, max: 8 * HOUR })),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('race'), race }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('replay'), at, hours: fc.constantFrom(1, 24, 24 * 29) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retry'), which: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('enable', 'url', 'cancel'), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('disable', 'rotate', 'remove'), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('answer'), at, how: fc.constant('gone') }) },
);

/** Something happens to an endpoint before it responds, and then it responds. */
const LATE: fc.Arbitrary<Step[]> = fc
  .record({
    at,
    object,
    first: fc.constantFrom('publish', 'replay'),
    meanwhile: fc.constantFrom('url', 'url', 'disable', 'remove', 'cancel'),
    how: fc.constantFrom('well', 'failing', 'failing', 'busy', 'gone'),
  })
  .map(({ at: endpoint, object: of, first, meanwhile, how }) => [
    { do: 'answer', at: endpoint, how: 'slow' },
    { do: 'publish', object: of, count: 2 },
    ...(first === 'replay' ? [{ do: 'replay' as const, at: endpoint, hours: 24 }] : []),
    { do: meanwhile, at: endpoint },
    { do: 'answer', at: endpoint, how },
  ]);

/** A sequence that is long enough to get far. */
export const STEPS: fc.Arbitrary<Step[]> = fc
  .array(fc.oneof({ weight: 12, arbitrary: STEP.map((step) => [step]) }, { weight: 1, arbitrary: LATE }), {
    minLength: 10,
    maxLength: 40,
  })
  .map((parts) => parts.flat());
