import { storedAnswer, LONGEST_DETAIL, outcomeNamed, safeText, wasSent } from './provider-answer.ts';

describe('the stored part of a provider’s answer', () => {
  const unknown = (why: 'no_answer' | 'not_understood', detail: string) =>
    ({ kind: 'unknown', why, detail }) as const;
  const notDone = (why: 'too_many_requests' | 'not_sent') =>
    ({ kind: 'unknown', why, detail: 'x', retry_after_ms: 1 }) as const;

  it.each([
    [{ kind: 'yes', value: { status: 'waiting' } } as const, 'answered', 'waiting'],
    [{ kind: 'yes', value: null } as const, 'answered', null],
    [{ kind: 'yes', value: { uri: 'upi://pay?pa=a@b' } } as const, 'answered', null],
    [
      { kind: 'no', failure_code: 'insufficient_funds', message: 'Asha Rao' } as const,
      'refused',
      'insufficient_funds',
    ],
    [{ kind: 'not_found' } as const, 'not_found', null],
    [unknown('no_answer', 'status 503'), 'no_answer', 'status 503'],
    [unknown('not_understood', 'status: unknown word'), 'not_understood', 'status: unknown word'],
    [notDone('too_many_requests'), 'too_many_requests', 'x'],
  ])('has for %j the outcome %s and the text %j', (answer, outcome, detail) => {
    expect(storedAnswer(answer)).toEqual({ outcome, detail });
  });

  it('counts as a call, unless it was held back here', () => {
    expect(
      [notDone('not_sent'), notDone('too_many_requests')].map((one) => wasSent(storedAnswer(one))),
    ).toEqual([false, true]);
  });

  it.each([
    ['asha.rao@okbank said no', '… said no'],
    ['account 001122334455 is closed', 'account … is closed'],
    ['PAN ABCDE1234F', 'PAN …'],
    ['GET https://pay.example/a?token=abc failed', 'GET https://pay.example/a?… failed'],
    ['two\nlines\tand\u0000more', 'two lines and more'],
    ['connect ECONNREFUSED 127.0.0.1:443', 'connect ECONNREFUSED 127.0.0.1:443'],
    [
      'TimeoutError: The operation was aborted due to timeout',
      'TimeoutError: The operation was aborted due to timeout',
    ],
  ])('turns %j into %j', (text, kept) => {
    expect(safeText(text)).toBe(kept);
  });

  it('has a maximum length', () => {
    expect(safeText('word '.repeat(500))).toHaveLength(LONGEST_DETAIL);
  });

  it('is read as not understood when the outcome is of a newer release', () => {
    expect([outcomeNamed('refused'), outcomeNamed('of a newer release')]).toEqual([
      'refused',
      'not_understood',
    ]);
  });
});
