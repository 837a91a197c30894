import { noticeEnvelope } from '../testing/notices.ts';
import { readMessage, toMessage, type WireMessage } from './kafka-message.ts';

const PLACE = { topic: 'notification_webhook', partition: 3 };

/** A message as the broker gives it back: all bytes. */
function onTheWire(event = noticeEnvelope('whk_1', 7)): WireMessage {
  const { key, value, headers = {} } = toMessage(event);
  const bytes = Object.entries(headers).map(([name, text]) => [name, Buffer.from(String(text))]);
  return {
    key: Buffer.from(String(key)),
    value: Buffer.from(String(value)),
    headers: Object.fromEntries(bytes) as Record<string, Buffer>,
    offset: '42',
  };
}

function without(name: string): WireMessage {
  const message = onTheWire();
  return { ...message, headers: { ...message.headers, [name]: undefined } };
}

describe('a message', () => {
  it.each([
    ['with a trace', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    ['without one', null],
  ])('carries an event %s unchanged (EVT-2)', (_what, traceparent) => {
    const event = noticeEnvelope('whk_1', 7, { traceparent, data: '{"amount":1001.0000,"name":"Zoë"}' });

    expect(readMessage(PLACE, onTheWire(event))).toEqual({ event, unreadable: null });
  });

  it('has the aggregate as its key and the data as its value, byte for byte (EVT-6)', () => {
    const event = noticeEnvelope('whk_1', 7, { data: '{"amount": 1001.0000 }' });

    expect(toMessage(event)).toMatchObject({ key: 'whk_1', value: '{"amount": 1001.0000 }' });
  });

  it.each(['event_id', 'event_type', 'event_version', 'occurred_at', 'tenant', 'sequence'])(
    'is not an event without the header %s, and keeps the other fields',
    (name) => {
      const { unreadable } = readMessage(PLACE, without(name));

      expect(unreadable).toMatchObject({ topic: 'notification_webhook', aggregate_id: 'whk_1' });
      expect(unreadable?.fields['data']).toBe(noticeEnvelope('whk_1', 7).data);
    },
  );

  it('without any field gets its id from its position, so that the id is the same at each delivery', () => {
    const message = { ...onTheWire(), key: null, value: null, headers: {} };

    expect(readMessage(PLACE, message).unreadable).toMatchObject({
      id: 'notification_webhook/3/42',
      aggregate_id: '',
      sequence: 0,
    });
  });

  it('that belongs to another topic is not an event: the key of this topic would order it wrongly', () => {
    const { unreadable } = readMessage({ topic: 'payment', partition: 3 }, onTheWire());

    expect(unreadable).toMatchObject({
      topic: 'payment',
      reason: expect.stringContaining('do not belong') as string,
    });
  });

  it('whose data is not UTF-8 is not an event: its bytes could not be passed on unchanged', () => {
    const message = { ...onTheWire(), value: Buffer.from([0x7b, 0xff, 0x7d]) };

    expect(readMessage(PLACE, message).unreadable).toMatchObject({ reason: 'the data is not UTF-8' });
  });

  it('drops NUL, which PostgreSQL cannot store', () => {
    const message = { ...onTheWire(), headers: {}, key: Buffer.from('a\0b') };

    expect(readMessage(PLACE, message).unreadable?.aggregate_id).toBe('a\u{fffd}b');
  });
});
