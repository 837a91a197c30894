import type { PaymentStatus } from '@fundrail/state-machines';
import type { Ending } from '../../payment/payment.ts';
import { aCollection } from '../../testing/payments.builder.ts';
import type { AttemptRow } from './attempt.table.ts';
import { failedAttempts, maskedVpa, offersWay, progressOf, stateOf } from './attempt.ts';

const inState = (status: PaymentStatus, ending: Ending | null = null) =>
  aCollection({ payment: { status }, request: { ending } }, { kind: 'checkout', method: null, sdk: false });
const attempt = (changes: Partial<AttemptRow> = {}): AttemptRow => ({
  payment_id: 1001,
  tenant: 'demo',
  number: 1,
  way: 'intent',
  shown: null,
  address: null,
  failure_code: null,
  started_at: new Date('2026-12-21T04:30:00.000Z'),
  laid_aside_at: null,
  ...changes,
});
const qr = attempt({ address: 'upi://pay?am=1' });
const request = attempt({ number: 2, way: 'collect', shown: 'ra***@upi' });
const bank = attempt({ number: 2, way: 'netbanking', shown: 'HDFC', address: 'https://bank.example' });
const aside = { laid_aside_at: new Date('2026-12-21T04:31:00.000Z') };

const BEFORE = new Date('2026-12-21T04:20:00.000Z');

it.each([
  [null, ['intent', 'collect', 'netbanking']],
  ['UPI', ['intent', 'collect']],
  ['NETBANKING', ['netbanking']],
])('the page of a payment of method %s offers %j (FLOW-15)', (method, ways) => {
  const offered = (['intent', 'collect', 'netbanking'] as const).filter((way) =>
    offersWay({ payment_type: 'NETBANKING', method }, way),
  );
  expect(offered).toEqual(ways);
});

describe('where the investor stands', () => {
  it.each<[string, AttemptRow[], object]>([
    ['no attempt', [], { kind: 'choosing', uri: null, refused: null }],
    ['a QR code', [qr], { kind: 'choosing', uri: 'upi://pay?am=1', refused: null }],
    ['a QR code that was not answered', [attempt()], { kind: 'choosing', uri: null, refused: null }],
    ['a request to a UPI ID', [qr, request], { kind: 'collect', vpa: 'ra***@upi' }],
    [
      'a refused request',
      [qr, { ...request, failure_code: 'invalid_upi_id' }],
      { kind: 'choosing', uri: 'upi://pay?am=1', refused: 'invalid_upi_id' },
    ],
    [
      'a request laid aside',
      [qr, { ...request, ...aside }],
      { kind: 'choosing', uri: 'upi://pay?am=1', refused: null },
    ],
    ['a bank', [qr, bank], { kind: 'netbanking', bank: 'HDFC', address: 'https://bank.example' }],
    [
      'a bank laid aside',
      [qr, { ...bank, ...aside }],
      { kind: 'choosing', uri: 'upi://pay?am=1', refused: null },
    ],
  ])('given %s, when the progress is read, then it is what the page shows', (_, attempts, progress) => {
    expect(progressOf(attempts, BEFORE)).toEqual(progress);
  });

  it('given a QR code whose time is over, when the progress is read, then it is not shown, and the state changes', () => {
    const over = qr.started_at;
    expect(progressOf([qr], over)).toEqual({ kind: 'choosing', uri: null, refused: null });
    const open = inState('PENDING');
    expect(stateOf(open, [qr], over)).not.toBe(stateOf(open, [qr], BEFORE));
  });

  it('given any step, when the state is read, then it differs from all others', () => {
    const open = inState('PENDING');
    const states = [
      stateOf(open, [], BEFORE),
      stateOf(open, [qr], BEFORE),
      stateOf(open, [qr, request], BEFORE),
      stateOf(open, [qr, { ...request, ...aside }], BEFORE),
      stateOf(inState('PENDING', 'cancel'), [qr, request], BEFORE),
      stateOf(inState('FAILED', 'cancel'), [qr, request], BEFORE),
      stateOf(inState('SUCCESS'), [qr, request], BEFORE),
    ];
    expect(new Set(states).size).toBe(states.length);
  });

  it.each([
    ['rahul.verma@okaxis', 'ra***@okaxis'],
    ['r@upi', 'r***@upi'],
  ])('given %s, when it is shown, then it is %s', (vpa, shown) => {
    expect(maskedVpa(vpa)).toBe(shown);
  });
});

describe('the attempts that a failure is for', () => {
  const unanswered = attempt({ number: 3, way: 'netbanking', shown: 'ICIC' });

  it.each<[string, AttemptRow[], boolean, number[]]>([
    ['nothing is open at the provider', [qr, bank], false, [1, 2]],
    ['the newest one failed', [qr, bank], true, [2]],
    ['one may be unknown to the provider yet', [qr, bank, unanswered], false, [1, 2]],
    ['the newest one may be unknown to it', [qr, bank, unanswered], true, []],
    ['one has failed before', [qr, { ...request, failure_code: 'payment_failed' }], false, [1]],
    ['a request was laid aside', [{ ...request, ...aside }], false, [2]],
  ])(
    'given that %s, when a failure is reported, then it is for these attempts',
    (_, attempts, isNewestOnly, numbers) => {
      expect(failedAttempts(attempts, isNewestOnly)).toEqual(numbers);
    },
  );
});
