import { paymentReference } from '@fundrail/providers';
import { CheckoutBrowser } from '../../testing/checkout-browser.ts';
import { capturedAs } from '../../testing/payments.builder.ts';
import { inStatus, PaymentsStage } from '../../testing/start-payments.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** No payment expires within these tests: the provider is asked only by the schedule. */
const LONG = { PAYMENT_EXPIRY_MINUTES: '1440', UPI_URI_EXPIRY_MINUTES: '1440' };

describe('questions about a payment by UPI without a callback (POL-10)', () => {
  let stage: PaymentsStage;
  const replicas: PaymentsStage[] = [];
  const start = async (variables: Readonly<Record<string, string>> = {}, count = 1) => {
    stage = await PaymentsStage.start({ ...LONG, ...variables });
    while (replicas.length < count - 1) replicas.push(await stage.replica());
  };
  afterEach(async () => {
    for (const replica of replicas.splice(0)) await replica.stop();
    await stage.stop();
  });

  /** Moves the clock; every replica looks for work. Resolves when what is due has ended. */
  const pass = async (ms: number) => {
    stage.clock.advance(ms);
    for (const one of [stage, ...replicas]) one.wake();
    await stage.settled();
  };
  /** How many questions were asked, one millisecond before each of these times after the start, and at it. */
  const questionsAround = async (times: readonly number[], calls: () => number) => {
    const seen: number[] = [];
    let passed = 0;
    for (const at of times) {
      await pass(at - 1 - passed);
      seen.push(calls());
      await pass(1);
      seen.push(calls());
      passed = at;
    }
    return seen;
  };

  it('come after 90 s, 10 min and 60 min, then hourly from 2 h 5 min, each from one of five replicas', async () => {
    await start({}, 5);
    await stage.payable();
    await stage.settled();
    const times = [90 * SECOND, 10 * MINUTE, HOUR, 125 * MINUTE, 185 * MINUTE];
    expect(await questionsAround(times, () => stage.provider.onStatus.calls)).toEqual([
      ...[0, 1, 1, 2, 2],
      ...[3, 3, 4, 4, 5],
    ]);
  });

  it('come after UPI_STATUS_FIRST_SECONDS first', async () => {
    await start({ UPI_STATUS_FIRST_SECONDS: '45' });
    await stage.payable();
    await stage.settled();
    const times = [45 * SECOND, 10 * MINUTE];
    expect(await questionsAround(times, () => stage.provider.onStatus.calls)).toEqual([0, 1, 1, 2]);
  });

  it('are not needed when the callback comes after 20 s: it settles the payment immediately', async () => {
    await start();
    const id = await stage.payable();
    await pass(20 * SECOND);
    await stage.report({
      reference: paymentReference(id),
      fact: { about: 'payment', payment: capturedAs('c1', '5000') },
    });
    await stage.until(id, inStatus('INITIATED'));
    await pass(3 * HOUR);
    expect(stage.provider.onStatus.calls).toBe(0);
  });

  it('go on by the schedule after one that a report of the provider has caused', async () => {
    await start();
    const id = await stage.payable();
    await pass(20 * SECOND);
    await stage.report({ reference: paymentReference(id), fact: null });
    await stage.settled();
    expect(stage.provider.onStatus.calls).toBe(1);
    const times = [70 * SECOND, 580 * SECOND];
    expect(await questionsAround(times, () => stage.provider.onStatus.calls)).toEqual([1, 2, 2, 3]);
  });

  it('go on by the schedule after the payment has failed and is closed at the provider', async () => {
    await start();
    const id = await stage.payable();
    await pass(20 * SECOND);
    expect((await stage.send('POST', `/api/pg/payments/${id}/cancel`)).status).toBe(200);
    const times = [70 * SECOND, 580 * SECOND];
    expect(await questionsAround(times, () => stage.provider.onStatus.calls)).toEqual([0, 1, 1, 2]);
  });

  it('do not delay a close without an answer: it is repeated by GATE-3', async () => {
    await start();
    const id = await stage.payable();
    await pass(20 * SECOND);
    const silence = { kind: 'unknown', why: 'no_answer', detail: 'x' } as const;
    stage.provider.onCancel.set({ kind: 'not_found' }, silence);
    expect((await stage.send('POST', `/api/pg/payments/${id}/cancel`)).status).toBe(200);
    const times = [5 * SECOND, 35 * SECOND, 335 * SECOND];
    expect(await questionsAround(times, () => stage.provider.onCancel.calls)).toEqual([1, 2, 2, 3, 3, 4]);
  });

  it('are later when a replica was away: one that was missed is not made up for', async () => {
    await start();
    await stage.payable();
    await stage.settled();
    await pass(30 * MINUTE);
    expect(stage.provider.onStatus.calls).toBe(1);
    expect(await questionsAround([30 * MINUTE], () => stage.provider.onStatus.calls)).toEqual([1, 2]);
  });

  it('find an authorisation by UPI after 90 s too', async () => {
    await start();
    const mandate = stage.neighbours.mandates.aMandate();
    expect((await stage.authorise(mandate.id)).status).toBe(200);
    await stage.settled();
    const { onAuthorisationStatus } = stage.provider.mandates;
    const times = [90 * SECOND, 10 * MINUTE];
    expect(await questionsAround(times, () => onAuthorisationStatus.calls)).toEqual([0, 1, 1, 2]);
  });

  it.each([
    ['by UPI after 90 s', 'UPI', {}, 90 * SECOND],
    ['by net banking after 5 s', 'NETBANKING', { action: 'netbanking', bank: 'HDFC' }, 5 * SECOND],
  ])('find a payment on the page %s', async (_, method, pressed, first) => {
    await start();
    const answer = await stage.checkOut([stage.neighbours.anOrder()], { method });
    const { token_url } = answer.json<{ token_url: string }>();
    const { pathname, search, searchParams } = new URL(token_url);
    const browser = new CheckoutBrowser(stage);
    await browser.open(pathname + search);
    if ('action' in pressed) await browser.press(searchParams.get('txnId') ?? '', pressed);
    await stage.settled();
    expect(await questionsAround([first], () => stage.sdkvendor.onStatus.calls)).toEqual([0, 1]);
  });
});
