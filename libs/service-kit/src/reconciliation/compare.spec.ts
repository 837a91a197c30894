import fc from 'fast-check';
import { compare, edgeOf, findings, withoutYoung, type Sides } from './compare.ts';
import type { Finding } from './reconciliation-check.ts';

interface Ours {
  readonly key: number | null;
  readonly state: string;
}
interface Theirs {
  readonly id: number;
  readonly state: string;
}

const SIDES: Sides<Ours, Theirs> = {
  keyOf: ({ key }) => key,
  otherKeyOf: ({ id }) => id,
  about: ({ key, state }, theirs) => ({
    object: String(key),
    tenant: theirs ? 'demo' : null,
    facts: { here: state },
  }),
  missing: ({ state }) => ({ order_not_at_gateway: state !== 'unsent' && {} }),
  differing: (ours, theirs) => ({
    order_differs_at_gateway: ours.state !== theirs.state && { there: theirs.state },
    order_amount_differs_at_gateway: false,
  }),
};
const named = (found: readonly Finding[]) => found.map(({ kind, object }) => `${object} ${kind}`);

const STATES = fc.constantFrom('open', 'done', 'unsent');
const rows = fc.array(fc.record({ key: fc.option(fc.nat(9)), state: STATES }), { maxLength: 12 });
const others = fc.array(fc.record({ id: fc.nat(9), state: STATES }), { maxLength: 12 });

describe('two sides', () => {
  it('that agree have no finding', () => {
    expect(compare([{ key: 1, state: 'open' }], [{ id: 1, state: 'open' }], SIDES)).toEqual([]);
  });

  it('given a row that the other side does not have, then it is missing there, with the facts of the row', () => {
    expect(compare([{ key: 1, state: 'open' }], [{ id: 2, state: 'open' }], SIDES)).toEqual([
      { kind: 'order_not_at_gateway', object: '1', tenant: null, facts: { here: 'open' } },
    ]);
  });

  it('given a row that need not be there, then it is not missing', () => {
    expect(compare([{ key: 1, state: 'unsent' }], [], SIDES)).toEqual([]);
  });

  it('given a field that differs, then the finding has the facts of both sides', () => {
    expect(compare([{ key: 1, state: 'open' }], [{ id: 1, state: 'done' }], SIDES)).toEqual([
      {
        kind: 'order_differs_at_gateway',
        object: '1',
        tenant: 'demo',
        facts: { here: 'open', there: 'done' },
      },
    ]);
  });

  it('given what only the other side has, then it is no finding: its own rows are compared with ours', () => {
    expect(compare([], [{ id: 1, state: 'open' }], SIDES)).toEqual([]);
  });

  it('given a row without a key, then the other side does not have it, whatever it has', () => {
    expect(named(compare([{ key: null, state: 'open' }], [{ id: 0, state: 'open' }], SIDES))).toEqual([
      'null order_not_at_gateway',
    ]);
  });

  it('given one key several times, then each row is compared with each of the other side', () => {
    const ours = ['open', 'done'].map((state) => ({ key: 1, state }));
    const theirs = ['open', 'open'].map((state) => ({ id: 1, state }));
    expect(named(compare(ours, theirs, SIDES))).toEqual([
      '1 order_differs_at_gateway',
      '1 order_differs_at_gateway',
    ]);
  });

  it('have exactly the findings of each row, looked at alone and slowly', () => {
    fc.assert(
      fc.property(rows, others, (ours, theirs) => {
        const expected = ours.flatMap((row) => {
          const same = theirs.filter(({ id }) => id === row.key);
          if (same.length === 0) return row.state === 'unsent' ? [] : [`${row.key} order_not_at_gateway`];
          return same.flatMap(({ state }) =>
            state === row.state ? [] : [`${row.key} order_differs_at_gateway`],
          );
        });
        expect(named(compare(ours, theirs, SIDES))).toEqual(expected);
      }),
    );
  });

  it('have the same findings in whatever order the other side answers', () => {
    fc.assert(
      fc.property(rows, others, (ours, theirs) => {
        const sorted = (found: readonly Finding[]) => found.map((one) => JSON.stringify(one)).sort();
        const turned = compare(ours, [...theirs].reverse(), SIDES);
        expect(sorted(turned)).toEqual(sorted(compare(ours, theirs, SIDES)));
      }),
    );
  });

  it('have the same findings in pages as at once', () => {
    fc.assert(
      fc.property(rows, others, fc.integer({ min: 1, max: 5 }), (ours, theirs, most) => {
        const paged: Finding[] = [];
        for (let at = 0; at < ours.length; at += most)
          paged.push(...compare(ours.slice(at, at + most), theirs, SIDES));
        expect(paged).toEqual(compare(ours, theirs, SIDES));
      }),
    );
  });
});

describe('the kinds of a difference', () => {
  const about = { object: 'o', tenant: 'demo', facts: { order: 1, state: 'open' } };

  it('are one finding each, in their order; what is false is none', () => {
    const found = findings(about, {
      event_gap: { missing: 3 },
      order_went_back: false,
      share_without_claim: {},
    });
    expect(found).toEqual([
      { ...about, kind: 'event_gap', facts: { ...about.facts, missing: 3 } },
      { ...about, kind: 'share_without_claim' },
    ]);
  });

  it('have only what a finding has, also when they are about one', () => {
    const kept = { ...about, kind: 'event_gap', check_name: 'outbox', place: 7 } as const;
    expect(findings(kept, { order_went_back: { state: 'done' } })).toEqual([
      { ...about, kind: 'order_went_back', facts: { order: 1, state: 'done' } },
    ]);
  });
});

describe('the edge of a page', () => {
  const page = (length: number) => Array.from({ length }, (_, index) => ({ id: index + 1 }));

  it.each([
    [0, { next: null, looked: 0 }],
    [2, { next: null, looked: 2 }],
    [3, { next: '3', looked: 3 }],
  ])('given %i of at most 3 rows', (length, edge) => {
    expect(edgeOf(page(length), 3, ({ id }) => id)).toEqual(edge);
  });

  it('leads through all rows once, at any size of a page', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.integer({ min: 1, max: 7 }), (length, most) => {
        const all = page(length);
        const seen: number[] = [];
        for (let place: string | null = ''; place !== null;) {
          const after = Number(place);
          const some: typeof all = all.filter(({ id }) => id > after).slice(0, most);
          seen.push(...some.map(({ id }) => id));
          place = edgeOf(some, most, ({ id }) => id).next;
        }
        expect(seen).toEqual(all.map(({ id }) => id));
      }),
    );
  });
});

describe('a window without what is young', () => {
  it('ends earlier on both clocks, and begins where it did', () => {
    const at = (ms: number) => new Date(ms);
    const window = { from: at(0), to: at(10_000), wallFrom: at(5), wallTo: at(20_000) };
    expect(withoutYoung(window, 2_000)).toEqual({ ...window, to: at(8_000), wallTo: at(18_000) });
    expect(withoutYoung(window, 0)).toEqual(window);
  });
});
