import {
  currentTraceId,
  currentTraceparent,
  newTraceparent,
  readTraceparent,
  runInTrace,
} from './trace-context.ts';

// The examples of the recommendation.
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const GIVEN = `00-${TRACE}-${PARENT}-01`;

describe('trace context', () => {
  it('keeps a received traceparent unchanged', () => {
    expect(readTraceparent(GIVEN)).toBe(GIVEN);
  });

  it('reads what it knows of a later version', () => {
    expect(readTraceparent(`cc-${TRACE}-${PARENT}-09-what-comes-later`)).toBe(`00-${TRACE}-${PARENT}-09`);
    expect(readTraceparent(`cc-${TRACE}-${PARENT}-09`)).toBe(`00-${TRACE}-${PARENT}-09`);
  });

  it.each([
    ['nothing', undefined],
    ['several headers', [GIVEN, GIVEN]],
    ['an empty one', ''],
    ['the forbidden version', `ff-${TRACE}-${PARENT}-01`],
    ['version 00 with more than it has', `${GIVEN}-more`],
    ['a later version with more, but no dash', `cc-${TRACE}-${PARENT}-01.more`],
    ['no flags', `00-${TRACE}-${PARENT}`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a short trace id', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['a long trace id', `00-${TRACE}0-${PARENT}-01`],
    ['upper case', GIVEN.toUpperCase()],
    ['what is not hexadecimal', `00-${TRACE.replace('a', 'g')}-${PARENT}-01`],
    ['spaces', ` ${GIVEN}`],
  ])('ignores %s', (_what, header) => {
    expect(readTraceparent(header)).toBeNull();
  });

  it('starts traces that differ and that it accepts itself', () => {
    const [one, other] = [newTraceparent(), newTraceparent()];
    expect(readTraceparent(one)).toBe(one);
    expect(one.slice(3, 35)).not.toBe(other.slice(3, 35));
  });

  it('is visible to everything that the work starts, and to nothing else', async () => {
    const seen = await runInTrace(GIVEN, async () => {
      await Promise.resolve();
      return [currentTraceparent(), currentTraceId()];
    });
    expect(seen).toEqual([GIVEN, TRACE]);
    expect([currentTraceparent(), currentTraceId()]).toEqual([null, undefined]);
  });
});
