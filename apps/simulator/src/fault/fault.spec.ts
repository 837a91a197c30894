import { FAULT_KINDS, faultRequest, GATEWAYPOA_OPERATIONS, SDKVENDOR_OPERATIONS } from './fault.ts';

const fault = (parts: object) => ({
  target: 'gatewaypoa',
  operation: 'review',
  kind: 'drop',
  times: 1,
  ...parts,
});

describe('a fault (SAND-12)', () => {
  it.each(GATEWAYPOA_OPERATIONS)(
    'given the operation %s, when it is checked, then it is accepted',
    (operation) => {
      expect(faultRequest.safeParse(fault({ operation })).success).toBe(true);
    },
  );

  it.each(SDKVENDOR_OPERATIONS)(
    'given the operation %s of sdkvendor, when it is checked, then it is accepted',
    (operation) => {
      expect(faultRequest.safeParse(fault({ target: 'sdkvendor', operation })).success).toBe(true);
    },
  );

  it.each(FAULT_KINDS)('given the kind %s, when it is checked, then it is accepted', (kind) => {
    expect(faultRequest.safeParse(fault({ kind, delay_ms: 50 })).success).toBe(true);
  });

  it.each([
    [{ operation: 'sing' }, 'operation'],
    [{ target: 'sdkvendor' }, 'operation'],
    [{ target: 'moon' }, 'target'],
    [{ kind: 'explode' }, 'kind'],
    [{ times: 0 }, 'times'],
    [{ times: undefined }, 'times'],
    [{ delay_ms: -1 }, 'delay_ms'],
  ])('given %j, when it is checked, then the error names %s', (parts, field) => {
    expect(faultRequest.safeParse(fault(parts)).error?.issues[0]?.path).toEqual([field]);
  });
});
