import type { EventEnvelope } from '@fundrail/contracts';
import { toMessage } from '../../libs/messaging/src/kafka/kafka-message.ts';
import { RECORD_HEADERS } from './kafka-record.ts';

const EVENT: EventEnvelope = {
  id: 'evt_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b',
  type: 'payment.success',
  version: 1,
  occurred_at: '2026-01-05T10:01:45.020+05:30',
  tenant: 'demo',
  aggregate_id: '5011',
  sequence: 3,
  data: '{}',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};

const headersOf = (event: EventEnvelope) => Object.keys(toMessage(event).headers ?? {}).toSorted();
const namesOf = (headers: typeof RECORD_HEADERS) => headers.map(({ name }) => name).toSorted();

describe('the documented headers', () => {
  it('are those that the bus sends', () => {
    expect(headersOf(EVENT)).toEqual(namesOf(RECORD_HEADERS));
  });

  it('are always present when documented as required', () => {
    expect(headersOf({ ...EVENT, traceparent: null })).toEqual(
      namesOf(RECORD_HEADERS.filter(({ required }) => required)),
    );
  });
});
