import { overtaken, youngerThan, type EmittedEvent } from './audit.ts';

const HOUR_MS = 3_600_000;

describe('which answers must still be known', () => {
  const ask = (at: number, aheadMs: number | null = null) => ({
    key: String(at),
    status: 200,
    request: 'POST /x',
    at,
    aheadMs,
  });
  const early = ask(1_000);
  const jump = ask(2_000, 20 * HOUR_MS);
  const between = ask(3_000);
  const leap = ask(4_000, 44 * HOUR_MS);
  const late = ask(5_000);

  it.each([
    ['all while the clock stands as ours', [early], 5_000, [early]],
    ['none that is older by ours', [early], 25 * HOUR_MS, []],
    ['all while the moves are less than a day', [early, jump, between], 5_000, [early, jump, between]],
    ['those alone that came after a day was passed over', [early, jump, between, leap, late], 5_001, [late]],
  ])('are %s', (_what, accepted, now, young) => {
    expect(accepted.filter(youngerThan(24 * HOUR_MS, accepted, now))).toEqual(young);
  });
});

describe('webhooks that came before the one before them', () => {
  const event = (service: EmittedEvent['service'], sequence: number): EmittedEvent => ({
    ...{ service, id: `${service} ${sequence}`, type: 'payment.updated', object: '1001', sequence },
  });
  const first = event('payments', 1);
  const second = event('payments', 2);

  it('are told', () => {
    expect(overtaken([first, second], [second.id, first.id])).toEqual([
      {
        kind: 'out_of_order',
        what: 'the webhook of payment.updated 2 of 1001 came before that of the event before it',
      },
    ]);
  });

  it('are none where they came in their order, or are of two services that number alike', () => {
    expect(overtaken([first, second], [first.id, second.id])).toEqual([]);
    const ofMandate = event('mandates', 1);
    expect(overtaken([second, ofMandate], [ofMandate.id, second.id])).toEqual([]);
  });
});
