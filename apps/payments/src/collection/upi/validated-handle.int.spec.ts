import { tenantOf } from '@fundrail/testing';
import { describeCheckout } from '../../testing/played-checkout.ts';

describeCheckout('the payee of a URI on the page (FLOW-16)', (play) => {
  const choose = (choice: object) => {
    const policies = { ...tenantOf('demo').settings.policies, validated_upi_handle: choice };
    Object.assign(play.stage.neighbours.settings, { policies });
    play.passTenantFacts();
  };
  afterEach(() => {
    choose({});
  });

  it('is named where it is a validated handle, in both languages', async () => {
    choose({ mode: 'require' });
    const { shown, browser, url } = await play.opened();
    expect(shown.html).toContain('You pay op.mf@validbank. Your UPI app shows a green thumbs-up sign.');
    expect((await browser.open(`${url}&lang=hi`)).html).toContain(
      'आप op.mf@validbank को भुगतान कर रहे हैं। UPI ऐप में हरा अंगूठे का निशान दिखेगा।',
    );
  });

  it.each([
    ['require', false],
    ['warn', true],
    ['off', true],
  ])(
    'given another suffix and the mode %s, when the page is opened, then its QR code is there: %s',
    async (mode, isShown) => {
      choose({ mode, suffixes: 'brk,ipo' });
      const { shown, token, browser } = await play.opened();
      expect([shown.status, shown.html.includes('<svg')]).toEqual([200, isShown]);
      choose({ mode, suffixes: 'brk,mf' });
      expect((await browser.press(token, { action: 'intent' })).html).toContain('<svg');
    },
  );
});
