import { z } from 'zod';
import { objectFilters, oneObject, typesAsked } from './event-filters.dto.ts';

const filters = z.strictObject(objectFilters).superRefine(oneObject);
const HEX = '0193a1b2c3d47e5f8a9b0c1d2e3f4a5b';

describe('filters by object', () => {
  it('read the other prefix of a plan id as its id (CONV-5)', () => {
    expect(filters.parse({ object_id: `mfrp_${HEX}` })).toEqual({ object_id: `mfr_${HEX}` });
    expect(filters.parse({ object_id: `mfp_${HEX}` })).toEqual({ object_id: `mfp_${HEX}` });
  });

  it.each([
    [{ object_id: '1001' }, 'object_id'],
    [{ object_id: '1001', object_type: 'mf_purchase' }, 'object_id'],
    [{ object_id: '1001', object_type: 'purchase' }, 'object_type'],
  ])('refuse %j and name %s', (query, field) => {
    expect(filters.safeParse(query).error?.issues.map(({ path }) => path)).toEqual([[field]]);
  });

  it.each([
    [{ object_id: '1001', object_type: 'payment' }],
    [{ object_id: '1001', object_type: 'mandate' }],
    [{ object_type: 'mf_purchase' }],
  ])('take %j', (query) => {
    expect(filters.safeParse(query).success).toBe(true);
  });

  it('are the types that fit the pattern and the object', () => {
    expect(typesAsked(undefined, undefined)).toBeNull();
    expect(typesAsked('payment.*', 'mandate')).toEqual([]);
    expect(typesAsked('*', 'mandate')?.every((type) => type.startsWith('mandate.'))).toBe(true);
    expect(typesAsked('payment.success', 'payment')).toEqual(['payment.success']);
    // A redemption is not a plan.
    expect(typesAsked(undefined, 'mf_redemption')).not.toContain('mf_redemption_plan.created');
  });
});
