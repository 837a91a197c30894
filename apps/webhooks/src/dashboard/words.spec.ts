import { newEventRow } from '../event/event.ts';
import { newDelivery } from '../delivery/delivery.ts';
import { span, withoutAttempts } from './words.ts';

describe('how long it takes, in words', () => {
  it.each([
    [0, '1 s'],
    [59_999, '59 s'],
    [270_000, '4 min 30 s'],
    [7_200_000, '2 h'],
    [7_230_000, '2 h'],
    [93_600_000, '1 d 2 h'],
  ])('given %d ms, then it is %s', (ms, words) => {
    expect(span(ms)).toBe(words);
  });
});

describe('a delivery without an attempt', () => {
  const now = new Date('2026-11-21T10:00:00Z');
  const about = { tenant: 'demo', aggregate_id: 'A', sequence: 1, occurred_at: now.toISOString() };
  const fields = { id: 'evt_1', type: 'payment.updated', data_text: '{}', traceparent: null };
  const delivery = newDelivery(newEventRow({ ...about, ...fields }, now), 'nwh_1', 'whd_1', now);

  it.each([
    ['is due', {}, 'Not sent yet'],
    ['is held behind another', { due_at: null }, 'Waiting for an earlier event'],
    ['was given up before its first', { status: 'failed', due_at: null }, 'Never sent'],
    ['was given up long ago', { status: 'failed', due_at: null, tries: 10 }, 'Attempts no longer available'],
    ['was accepted long ago', { status: 'delivered', due_at: null }, 'Attempts no longer available'],
  ] as const)('that %s is described so', (_, over, words) => {
    expect(withoutAttempts({ ...delivery, ...over })).toBe(words);
  });
});
