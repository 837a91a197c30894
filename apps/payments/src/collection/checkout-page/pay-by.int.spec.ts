import type { SchemeCategory } from '@fundrail/contracts';
import { CheckoutBrowser } from '../../testing/checkout-browser.ts';
import { describeCheckout } from '../../testing/played-checkout.ts';

describeCheckout('the NAV on the hosted page', (play) => {
  /** The page of a payment of orders of these categories, opened on Friday, 8 January 2027, at that time. */
  async function shown(time: string, language: string, ...categories: (SchemeCategory | undefined)[]) {
    play.stage.clock.set(`2027-01-08T${time}:00.000+05:30`);
    const orders = categories.map((scheme_category) => play.stage.neighbours.anOrder({ scheme_category }));
    const answer = await play.stage.checkOut(orders);
    expect(answer.status).toBe(200);
    const url = new URL(answer.json<{ token_url: string }>().token_url);
    url.searchParams.set('lang', language);
    return (await new CheckoutBrowser(play.stage).open(url.pathname + url.search)).html;
  }

  it.each([
    ['en', '<p>Pay by 2:45 pm for the NAV of 8 January.</p>'],
    ['hi', '<p>8 जनवरी के NAV के लिए दोपहर 2:45 बजे तक भुगतान करें।</p>'],
  ])(
    'given orders that agree, when the page is opened in %s, then it says %s (PAGE-16)',
    async (language, sentence) => {
      expect(await shown('14:45', language, 'other', 'other')).toContain(sentence);
    },
  );

  it('given a liquid scheme, when the page is opened, then the NAV is that of the day before (PAGE-16)', async () => {
    expect(await shown('13:00', 'en', 'liquid')).toContain('Pay by 1:15 pm for the NAV of 7 January.');
  });

  it.each<[string, string, (SchemeCategory | undefined)[]]>([
    ['after the last moment', '14:46', ['other']],
    ['for orders that differ', '10:00', ['other', 'overnight']],
    ['for an order of an older release of orders', '10:00', [undefined]],
  ])('given a page %s, when it is opened at %s, then it says nothing about the NAV', async (_, time, all) => {
    expect(await shown(time, 'en', ...all)).not.toContain('NAV');
  });
});
