import fc from 'fast-check';
import { eitherId, firstIdAt, ID_PREFIXES, integerId, newId, prefixedId, type IdKind } from './ids.ts';

const KINDS = Object.keys(ID_PREFIXES) as IdKind[];

describe('prefixed ids', () => {
  it('have the prefixes of CONV-3, each for one kind', () => {
    const prefixes = Object.values<string>(ID_PREFIXES);
    const contract = ['mfp', 'mfr', 'mfrd', 'psi', 'mfia', 'invp', 'bac', 'man', 'evt', 'nwh', 'whd'];

    expect(prefixes).toEqual(expect.arrayContaining(contract));
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });

  it.each(KINDS)('of kind %s are read by their own schema and by no other', (kind) => {
    const id = newId(kind);

    expect(KINDS.filter((other) => prefixedId(other).safeParse(id).success)).toEqual([kind]);
  });

  it('sort by their creation and never repeat (CONV-4)', () => {
    const ids = Array.from({ length: 1_000 }, () => newId('event'));

    expect([...new Set(ids)].sort()).toEqual(ids);
  });

  it('name the prefix that was expected', () => {
    expect(prefixedId('purchase').safeParse('mfrd_1').error?.issues[0]?.message).toBe(
      'must be an id that begins with mfp_',
    );
  });
});

describe('eitherId', () => {
  it('takes both ids of an object (CONV-8)', () => {
    const id = newId('purchase');

    expect(eitherId('purchase', id)).toEqual({ id });
    expect(eitherId('purchase', '10021')).toEqual({ oldId: 10021 });
  });

  it('reads the upstream’s prefix of a redemption plan as ours (CONV-5)', () => {
    const id = newId('redemptionPlan');
    expect(eitherId('redemptionPlan', id.replace('mfr_', 'mfrp_'))).toEqual({ id });
    expect(eitherId('purchasePlan', id.replace('mfr_', 'mfrp_'))).toBeNull();
  });

  it.each(['', '0', '-1', '01', '1.5', '1e3', '9'.repeat(16), 'mfp_1', 'mfp_', ' 1'])(
    'returns null for "%s"',
    (text) => {
      expect(eitherId('purchase', text)).toBeNull();
    },
  );

  it('returns null for an id of another kind', () => {
    expect(eitherId('purchase', newId('redemption'))).toBeNull();
  });

  it('never returns an integer that a double cannot represent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), (value) => {
        const found = eitherId('purchase', value.toString());

        expect(found === null || ('oldId' in found && BigInt(found.oldId) === value)).toBe(true);
      }),
    );
  });
});

describe('integer ids', () => {
  it.each([0, -1, 1.5, 2 ** 53, '1', null])('are not %p', (value) => {
    expect(integerId.safeParse(value).success).toBe(false);
  });
});

describe('the first id of a time', () => {
  it('sorts before ids created from then on, and after ids created earlier', () => {
    const [before, id] = [Date.now(), newId('event')];
    expect(firstIdAt('event', new Date(before)) < id).toBe(true);
    expect(firstIdAt('event', new Date(Date.now() + 1)) > id).toBe(true);
  });
});
