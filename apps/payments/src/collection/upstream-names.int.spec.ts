import { tenantToken } from '@fundrail/testing';
import { PaymentsStage } from '../testing/start-payments.ts';

describe('payments of a client of the upstream interface (COMP-2, COMP-3)', () => {
  let stage: PaymentsStage;
  beforeAll(async () => {
    stage = await PaymentsStage.start();
    stage.neighbours.settings.sdk_options_enabled = true;
  });
  afterAll(() => stage.stop());

  const theirs = () => ({
    authorization: tenantToken('demo', 'api', stage.clock.now(), {
      iss: 'https://pay.example.com',
      compatibility: 'upstream/ondc',
    }),
  });
  const shown = async (id: number, headers = {}) =>
    (await stage.send('GET', `/api/pg/payments/${id}`, undefined, headers)).body;

  it.each(['ONDC', 'CYBRILLAPOA', 'RAZORPAY', 'BILLDESK', undefined])(
    'by net banking with provider_name %s have the SDK options of razorpay',
    async (provider_name) => {
      const changes = { method: 'NETBANKING', provider_name };
      const created = await stage.checkOut([stage.neighbours.anOrder()], changes, theirs());
      const { id, sdk_options } = created.json<{ id: number; sdk_options: Record<string, unknown> }>();
      expect([created.status, Object.keys(sdk_options)]).toEqual([200, ['razorpay']]);
      const [asUpstream, asOurs] = [await shown(id, theirs()), await shown(id)];
      expect(asUpstream).toContain('"provider_name":"RAZORPAY"');
      expect(asOurs).toContain('"provider_name":"SDKVENDOR"');
      expect(asOurs).toContain('"sdk_options":{"sdkvendor":{');
      const back = asUpstream.replace('"RAZORPAY"', '"SDKVENDOR"').replace('{"razorpay":', '{"sdkvendor":');
      expect(back).toBe(asOurs);
    },
  );

  it('by UPI name the gateway as the tenant does, and others are refused its name', async () => {
    const order = stage.neighbours.anOrder();
    const strict = await stage.create([order], { provider_name: 'ONDC' });
    expect([strict.status, strict.body]).toEqual([400, expect.stringContaining('"field":"provider_name"')]);
    const created = await stage.create([order], { provider_name: 'ONDC' }, theirs());
    const { id } = created.json<{ id: number }>();
    expect(await shown(id, theirs())).toContain('"provider_name":"ONDC"');
    expect(await shown(id)).toContain('"provider_name":"GATEWAYPOA"');
  });

  it('of a mandate’s authorisation have the options under razorpay and at the top level', async () => {
    const mandate = stage.neighbours.mandates.aMandate({ provider_name: 'SDKVENDOR' });
    const body = { upi: undefined, payment_postback_url: 'https://app.example/back' };
    const answer = await stage.authorise(mandate.id, body, theirs());
    const { sdk_options } = answer.json<{ sdk_options: Record<string, unknown> }>();
    const { razorpay, ...direct } = sdk_options;
    expect([answer.status, razorpay]).toEqual([200, direct]);
  });
});
