import { at, paymentOf, type Run } from './model.ts';
import type { RegistrarWord } from './outside-world.ts';

/** The investor opens the hosted page by the link that GET shows. The link works once. */
export function openPage(which: number): Run {
  return async (model, stage) => {
    const payment = at(model.payments, which);
    const { status, token_url } = await paymentOf(stage, payment.id);
    if (typeof token_url !== 'string') return;
    expect(status).toBe('PENDING');
    const { pathname, search } = new URL(token_url);
    const [ending] = await stage.rows<{ ending: string | null }>(
      'payments',
      'SELECT ending FROM checkouts WHERE payment_id = $1',
      [payment.id],
    );
    const opened = await stage.browse('GET', pathname + search, null);
    expect(opened.status).toBe(ending?.ending ? 410 : 200);
    if (opened.status === 200 && opened.cookie)
      payment.page = { cookie: opened.cookie, token: new URL(token_url).searchParams.get('txnId') ?? '' };
    expect((await stage.browse('GET', pathname + search, null)).status).toBe(410);
    expect((await paymentOf(stage, payment.id)).token_url).toBeUndefined();
  };
}

/** The investor starts to pay on the page by one of the ways. That does not change the payment's state. */
export function tryOnPage(which: number, way: 'intent' | 'collect' | 'netbanking'): Run {
  return async (model, stage) => {
    const { id, page } = at(model.payments, which);
    if (!page) return;
    const before = await paymentOf(stage, id);
    const fields = { intent: {}, collect: { vpa: 'somebody@upi' }, netbanking: { bank: 'HDFC' } }[way];
    const address = '/api/pg/payments/netbanking/sdkvendor';
    const { status } = await stage.browse('POST', address, page.cookie, {
      txnId: page.token,
      lang: 'en',
      action: way,
      ...fields,
    });
    expect([303, 409, 429, 503]).toContain(status);
    expect((await paymentOf(stage, id)).status).toBe(before.status);
  };
}

/** The registrar decides about an order that it has received; a success needs the order's money. */
export function registrarSays(
  which: number,
  word: Exclude<RegistrarWord, 'waiting'>,
  isReported: boolean,
): Run {
  return async (model, stage) => {
    const { id, old_id } = at(model.orders, which);
    const { orders, transfers } = stage.world;
    const before = orders.get(id);
    const isPaid = [...transfers.values()].some(
      ({ transfer, status }) =>
        status === 'settled' && transfer.shares.some((share) => share.old_id === old_id),
    );
    const may = {
      successful: before === 'waiting' && isPaid,
      failed: before === 'waiting',
      reversed: before === 'successful',
    };
    if (!may[word]) return;
    orders.set(id, word);
    if (!isReported) return;
    await stage.reportOrder(id);
    const [order] = await stage.rows<{ state: string }>(
      'orders',
      'SELECT state FROM mf_orders WHERE id = $1',
      [id],
    );
    // An order that was swept at 23:00 stays failed, whatever the registrar decides later.
    expect(order?.state === 'failed' || order?.state === word).toBe(true);
  };
}
