import { collectAnswer, isKnownVpa } from './collect.ts';

// SAND-5.
describe('the simulated payers of collect requests', () => {
  it.each([
    ['success@upi', { does: 'pay', afterMs: 0 }],
    ['SUCCESS@UPI', { does: 'pay', afterMs: 0 }],
    ['failure@upi', { does: 'decline', afterMs: 0 }],
    ['late@upi', { does: 'pay', afterMs: 420_000 }],
    ['timeout@upi', null],
    ['asha@okbank', null],
  ])('given %s, when it receives a request, then its response is %j', (vpa, answer) => {
    expect(collectAnswer(vpa)).toEqual(answer);
  });

  it('given unknown@upi, when it is looked up, then there is no such payer', () => {
    expect([isKnownVpa('unknown@upi'), isKnownVpa('asha@okbank')]).toEqual([false, true]);
  });
});
