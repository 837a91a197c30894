import { jest } from '@jest/globals';
import { OperationLine } from './operation-line.ts';

type Played = 'works' | 'fails';
const RULES = { mostInFlight: 3, judgedCalls: 10, openMs: 10_000 };

describe('the line of an operation', () => {
  let line: OperationLine<Played>;
  let now: number;
  beforeEach(() => {
    now = Date.parse('2026-12-21T10:00:00+05:30');
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    line = new OperationLine<Played>((answer) => answer === 'fails', RULES);
  });
  afterEach(() => jest.restoreAllMocks());

  const answered = (answer: Played) => line.run(() => Promise.resolve(answer));
  const heldBack = (retry_after_ms: number, detail = 'the calls before have failed') => ({
    kind: 'not_sent',
    detail,
    retry_after_ms,
  });
  async function breakIt(): Promise<void> {
    for (let call = 0; call < 5; call += 1) await answered('fails');
  }
  /** A call without an answer yet. */
  function pending() {
    const { promise, resolve } = Promise.withResolvers<Played>();
    return { answer: line.run(() => promise), resolve };
  }

  it('given too few calls to judge, when it is called, then the call is made', async () => {
    for (let call = 0; call < 4; call += 1) await answered('fails');
    expect(await answered('works')).toBe('works');
    expect(line.isOpen).toBe(false);
  });

  it('given that half of the calls fail and no more, when it is called, then the call is made', async () => {
    for (let call = 0; call < 20; call += 1) await answered(call % 2 === 0 ? 'works' : 'fails');
    expect(await answered('works')).toBe('works');
  });

  it('given that most calls failed, when it is called, then nothing is sent, and the answer states for how long (GATE-13)', async () => {
    await breakIt();
    now += 4_000;
    const call = jest.fn(() => Promise.resolve<Played>('works'));
    expect(await line.run(call)).toEqual(heldBack(6_000));
    expect(call).not.toHaveBeenCalled();
  });

  it('given its own clock, when that one jumps, then the pause ends, and the wall clock does not end a pause', async () => {
    let business = now;
    line = new OperationLine<Played>(
      (answer) => answer === 'fails',
      RULES,
      () => business,
    );
    await breakIt();
    now += 60_000;
    expect(await answered('works')).toEqual(heldBack(10_000));
    business += 5 * 86_400_000;
    expect(await answered('works')).toBe('works');
    expect(line.isOpen).toBe(false);
  });

  it('given a clock that is set back, when it is called, then the call is made', async () => {
    await breakIt();
    now -= 1;
    expect(await answered('works')).toBe('works');
  });

  it('given the pause is over, when the other side is back, then all calls are made again', async () => {
    await breakIt();
    now += 10_000;
    expect(await answered('works')).toBe('works');
    expect(line.isOpen).toBe(false);
    expect(await answered('fails')).toBe('fails');
    expect(await answered('works')).toBe('works');
  });

  it('given the pause is over, when the other side is not back, then another pause begins', async () => {
    await breakIt();
    now += 10_000;
    expect(await answered('fails')).toBe('fails');
    expect(await answered('works')).toEqual(heldBack(10_000));
  });

  it('given one call that tries it, when others come, then they are not sent and do not wait for it', async () => {
    await breakIt();
    now += 10_000;
    const trial = pending();
    expect(await answered('works')).toEqual(heldBack(1_000));
    trial.resolve('works');
    expect(await trial.answer).toBe('works');
    expect(await answered('works')).toBe('works');
  });

  it('given the maximum number of running calls, when another comes, then it is not sent', async () => {
    const calls = [pending(), pending(), pending()];
    expect(await answered('works')).toEqual(heldBack(1_000, 'too many calls are under way'));
    for (const { resolve } of calls) resolve('works');
    expect(await Promise.all(calls.map(({ answer }) => answer))).toEqual(['works', 'works', 'works']);
    expect(await answered('works')).toBe('works');
  });
});
