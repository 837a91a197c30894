import { ValidationFailed } from '@fundrail/contracts';
import { moveClockRequest, targetOf } from './clock.dto.ts';

const NOW = new Date('2026-12-21T10:00:00+05:30');

describe('the target of the clock (CLOCK-1)', () => {
  it.each([
    [{ advance: 'P1M' }, '2027-01-21T10:00:00+05:30'],
    [{ advance: 'PT90M' }, '2026-12-21T11:30:00+05:30'],
    [{ now: '2026-12-22T00:00:00+05:30' }, '2026-12-22T00:00:00+05:30'],
    [{ now: '2026-12-21T04:30:00Z' }, '2026-12-21T10:00:00+05:30'],
  ])('given %j, when it is read, then it is %s', (request, target) => {
    expect(targetOf(request, NOW)).toEqual(new Date(target));
  });

  it.each([
    [{ now: '2026-12-21T09:59:59+05:30' }],
    [{ advance: '-PT1S' }],
    [{ advance: 'tomorrow' }],
    [{ advance: 'P11Y' }],
    [{ now: '2099-01-01T00:00:00Z' }],
  ])('given %j, when it is read, then it is refused with the field named (CLOCK-2, CLOCK-11)', (request) => {
    expect(() => targetOf(request, NOW)).toThrow(ValidationFailed);
  });

  it('given moves that wait, when another one would end beyond ten years from the clock, then it is refused (CLOCK-11)', () => {
    const end = new Date('2036-12-01T00:00:00+05:30');
    expect(targetOf({ advance: 'P1D' }, end, NOW)).toEqual(new Date('2036-12-02T00:00:00+05:30'));
    expect(() => targetOf({ advance: 'P1M' }, end, NOW)).toThrow(ValidationFailed);
  });

  it.each([
    [{}],
    [{ advance: 'P1M', now: '2027-01-01T00:00:00Z' }],
    [{ now: '2027-01-01' }],
    [{ to: 'P1M' }],
  ])('given %j, when it is checked, then it is not a valid request', (request) => {
    expect(moveClockRequest.safeParse(request).success).toBe(false);
  });
});
