import { CheckoutBrowser } from '../../testing/checkout-browser.ts';
import { describeCheckout } from '../../testing/played-checkout.ts';

const AXIS = 'INF846K01EW2';

describeCheckout('the names of orders on the hosted page', (play) => {
  /** A payment of orders of these schemes, opened, with `display_names` by the order's index. */
  async function opened(
    schemes: readonly (string | undefined)[],
    names: Readonly<Record<number, string>> = {},
  ) {
    const orders = schemes.map((scheme) => play.stage.neighbours.anOrder({ scheme }));
    const display_names = Object.entries(names).map(([place, display_name]) => ({
      amc_order_id: orders[Number(place)]?.old_id,
      display_name,
    }));
    const answer = await play.stage.checkOut(orders, { display_names });
    expect(answer.status).toBe(200);
    const { id, token_url } = answer.json<{ id: number; token_url: string }>();
    const url = new URL(token_url);
    const { html } = await new CheckoutBrowser(play.stage).open(url.pathname + url.search);
    return { id, orders, html };
  }

  it('given a scheme of the table, when the page is opened, then scheme, fund house and number are shown at the order (PAGE-13)', async () => {
    const { html, orders } = await opened([AXIS]);
    expect(html).toContain('<bdi class="scheme">Axis ELSS Tax Saver Fund - Direct Plan - Growth</bdi>');
    expect(html).toContain(
      `<bdi>Axis Mutual Fund</bdi> · <span class="whole">Mutual fund order ${orders[0]?.old_id}</span>`,
    );
  });

  it('given the client names one of two orders, when the page is opened, then that order is shown with the name (PAGE-13)', async () => {
    const { html } = await opened(['INF173K01FE6', 'INF173K01FE6'], { 1: '  My savings ' });
    expect(html.match(/<bdi class="scheme">[^<]*/g)).toEqual([
      '<bdi class="scheme">INF173K01FE6',
      '<bdi class="scheme">My savings',
    ]);
  });

  it('given markup in a name, when the page is opened, then it is shown as text', async () => {
    const { html } = await opened([AXIS], { 0: '<script>alert("x")</script>' });
    expect(html).toContain('<bdi class="scheme">&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;</bdi>');
  });

  it('given an order of an older release of orders, when the page is opened, then it is shown with its number only', async () => {
    const { html, orders } = await opened([undefined]);
    expect(html).toContain(`<dt>Mutual fund order ${orders[0]?.old_id}</dt>`);
  });

  it('given a name that changes the writing direction, when the payment is created, then it is a 400 with the name of the field', async () => {
    const order = play.stage.neighbours.anOrder();
    const display_names = [{ amc_order_id: order.old_id, display_name: 'Fund \u202e00.1₹' }];
    const answer = await play.stage.checkOut([order], { display_names });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('display_names.0.display_name');
  });

  it('given names, when the payment is fetched, then the answer does not contain them', async () => {
    const { id } = await opened([AXIS], { 0: 'My savings' });
    expect((await play.stage.send('GET', `/api/pg/payments/${id}`)).body).not.toContain('My savings');
  });
});
