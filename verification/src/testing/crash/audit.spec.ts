import { overtaken, type EmittedEvent } from './audit.ts';

describe('webhooks that came before the one before them', () => {
  const event = (service: EmittedEvent['service'], sequence: number): EmittedEvent => ({
    ...{ service, id: `${service} ${sequence}`, type: 'payment.updated', object: '1001', sequence },
  });
  const first = event('payments', 1);
  const second = event('payments', 2);

  it('are reported', () => {
    expect(overtaken([first, second], [second.id, first.id])).toEqual([
      {
        kind: 'out_of_order',
        what: 'the webhook of payment.updated 2 of 1001 came before that of the event before it',
      },
    ]);
  });

  it('are none when events came in order, or have the same numbers in two services', () => {
    expect(overtaken([first, second], [first.id, second.id])).toEqual([]);
    const ofMandate = event('mandates', 1);
    expect(overtaken([second, ofMandate], [ofMandate.id, second.id])).toEqual([]);
  });
});
