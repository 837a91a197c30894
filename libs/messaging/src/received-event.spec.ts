import { noticeEnvelope } from './testing/notices.ts';
import { readEvent, UnreadableEvent } from './received-event.ts';

const notice = (change: (data: { object: Record<string, unknown> }) => object) => {
  const envelope = noticeEnvelope('nw_1', 1);
  const data = JSON.parse(envelope.data) as { object: Record<string, unknown> };
  return { ...envelope, data: JSON.stringify(change(data)) };
};

describe('reading an event', () => {
  it('drops the fields that a newer producer has added, and keeps its text byte for byte (EVT-6)', () => {
    const newer = notice(({ object, ...data }) => ({
      ...data,
      object: { ...object, colour: 'red' },
      cause: null,
    }));
    const event = readEvent(newer);
    expect(event.object).not.toHaveProperty('colour');
    expect(event.data_text).toBe(newer.data);
  });

  it.each([
    ['a missing field', notice(({ object: { id: _, ...object }, ...data }) => ({ ...data, object }))],
    ['a new value', notice(({ object, ...data }) => ({ ...data, object: { ...object, status: 'new' } }))],
    ['no JSON', { ...noticeEnvelope('nw_1', 1), data: '{' }],
    ['an unknown type', { ...noticeEnvelope('nw_1', 1), type: 'notification_webhook.new' }],
    ['a newer version', { ...noticeEnvelope('nw_1', 1), version: 2 }],
  ])('refuses %s', (_, envelope) => {
    expect(() => readEvent(envelope)).toThrow(UnreadableEvent);
  });
});
