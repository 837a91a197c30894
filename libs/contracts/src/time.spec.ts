import fc from 'fast-check';
import { addDays, addDuration, businessDate, istDate, istInstant, istTimestamp, timestamp } from './time.ts';

const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

describe('istTimestamp (CONV-30)', () => {
  it.each([
    ['2026-12-21T04:30:00.000Z', '2026-12-21T10:00:00.000+05:30'],
    ['2026-12-31T18:30:00.000Z', '2027-01-01T00:00:00.000+05:30'],
    ['2026-12-31T18:29:59.999Z', '2026-12-31T23:59:59.999+05:30'],
  ])('prints %s as %s', (utc, ist) => {
    expect(istTimestamp(new Date(utc))).toBe(ist);
  });

  it('is the same instant, and valid on the wire', () => {
    fc.assert(
      fc.property(instants, (at) => {
        const text = istTimestamp(at);

        expect(new Date(text)).toEqual(at);
        expect(timestamp.safeParse(text).success).toBe(true);
      }),
    );
  });
});

describe('business dates', () => {
  it('begin at midnight in India (CONV-30)', () => {
    expect(istDate(new Date('2026-01-04T18:29:59.999Z'))).toBe('2026-01-04');
    expect(istDate(new Date('2026-01-04T18:30:00.000Z'))).toBe('2026-01-05');
  });

  it('contain the instants created from them', () => {
    fc.assert(
      fc.property(instants.map(istDate), fc.nat(23), fc.nat(59), (date, hour, minute) => {
        const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

        expect(istTimestamp(istInstant(date, time))).toBe(`${date}T${time}:00.000+05:30`);
      }),
    );
  });

  it('go over month and leap-year ends', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  });

  it.each(['2026-02-29', '2026-13-01', '05-01-2026', '2026-1-5', '0000-01-01', ''])(
    'are not "%s" on the wire (CONV-30)',
    (text) => {
      expect(businessDate.safeParse(text).success).toBe(false);
    },
  );
});

describe('addDuration', () => {
  const at = istInstant('2026-01-31', '09:15');

  it.each([
    ['PT90M', '2026-01-31T10:45:00.000+05:30'],
    ['P1D', '2026-02-01T09:15:00.000+05:30'],
    ['P1M', '2026-02-28T09:15:00.000+05:30'],
    ['P3M', '2026-04-30T09:15:00.000+05:30'],
  ])('%s later is %s', (duration, expected) => {
    expect(istTimestamp(addDuration(at, duration))).toBe(expected);
  });

  it('refuses a text that is not a duration', () => {
    expect(() => addDuration(at, '90 minutes')).toThrow(RangeError);
  });
});

describe('a timestamp on the wire', () => {
  it.each(['2026-01-05T10:00:00', '2026-01-05 10:00:00+05:30', '2026-01-05', 'yesterday'])(
    'is not %s',
    (text) => {
      expect(timestamp.safeParse(text).success).toBe(false);
    },
  );
});
