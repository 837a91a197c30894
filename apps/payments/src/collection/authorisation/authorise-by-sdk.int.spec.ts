import type { CreatedAuthorisationDto, FetchedPaymentDto } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import { signatureOf } from '../../testing/fake-checkout.ts';
import { APPROVED } from '../../testing/fake-provider-mandates.ts';
import { PaymentsStage } from '../../testing/start-payments.ts';

describe('POST /api/pg/payments/emandate/auth without upi', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  describe('by SDK', () => {
    const sdk = { upi: undefined, payment_postback_url: 'https://app.example/back' };
    const opened = async (changes: object = {}) => {
      stage.neighbours.settings.sdk_options_enabled = true;
      const mandate = stage.neighbours.mandates.aMandate({ provider_name: 'SDKVENDOR', ...changes });
      const answer = await stage.authorise(mandate.id, sdk);
      return { mandate, answer, created: answer.json<CreatedAuthorisationDto>() };
    };

    it('returns the same options nested and at the top level for an e-mandate, and GET shows them while PENDING', async () => {
      const { answer, created } = await opened({ mandate_type: 'E_MANDATE' });
      expect(answer.status).toBe(200);
      const fields = {
        callback_url: `http://127.0.0.1:3000/api/pg/payments/netbanking/sdkvendor/capture/${created.id}`,
        bank_account_number: '001122334455',
        method: { emandate: true },
        contact: '+919876543210',
        bank_account_holder_name: 'A Investor',
        customer_id: 'cust_1',
        order_id: `order_${paymentReference(created.id)}`,
        bank_account_ifsc: 'HDFC0000001',
        key: 'key_test',
        email: 'investor@example.com',
      };
      expect(created).toEqual({
        id: created.id,
        token_url: expect.stringMatching(
          new RegExp(`^http://127.0.0.1:3000/api/pg/payments/netbanking/sdkvendor\\?txnId=${created.id}\\.`),
        ),
        upi: null,
        sdk_options: { ...fields, sdkvendor: fields },
      });
      const fetched = (await stage.send('GET', `/api/pg/payments/${created.id}`)).json<FetchedPaymentDto>();
      expect(fetched.sdk_options).toEqual(created.sdk_options);
      expect(fetched.token_url).toBe(created.token_url);
      expect(fetched.method).toBeNull();
    });

    it('does not repeat the data of the investor for UPI Autopay', async () => {
      const { created } = await opened();
      const options = created.sdk_options?.sdkvendor ?? {};
      expect(Object.keys(options).sort()).toEqual([
        'bank_account_number',
        'callback_url',
        'customer_id',
        'key',
        'method',
        'order_id',
      ]);
      expect(options).toMatchObject({ method: { emandate: false } });
    });

    it.each(['application/json', 'application/x-www-form-urlencoded'])(
      'is confirmed through the capture route: %s',
      async (type) => {
        const { created } = await opened();
        const order = `order_${paymentReference(created.id)}`;
        const fields = {
          razorpay_payment_id: 'pay_1',
          razorpay_order_id: order,
          razorpay_signature: signatureOf(order, 'pay_1'),
        };
        const post = (body: Record<string, string>) =>
          stage.service.fastify.inject({
            method: 'POST',
            url: `/api/pg/payments/netbanking/sdkvendor/capture/${created.id}`,
            headers: { 'content-type': type },
            payload:
              type === 'application/json' ? JSON.stringify(body) : new URLSearchParams(body).toString(),
          });
        expect((await post({ ...fields, razorpay_signature: 'forged' })).statusCode).toBe(400);
        // The signature proves the ids only: the provider decides whether it succeeded.
        expect((await post(fields)).body).toContain('value="pending"');
        stage.sdkvendor.mandates.onAuthorisationStatus.set({ kind: 'yes', value: APPROVED });
        expect((await post(fields)).body).toContain('value="success"');
        expect(await stage.get(created.id)).toMatchObject({ status: 'SUCCESS' });
      },
    );

    it.each(['UPI', 'E_MANDATE'] as const)(
      'has only the page for %s when the tenant has no SDK options, also in GET',
      async (mandate_type) => {
        const mandate = stage.neighbours.mandates.aMandate({ provider_name: 'SDKVENDOR', mandate_type });
        const answer = await stage.authorise(mandate.id, sdk);
        const { id } = answer.json<{ id: number }>();
        const token_url = expect.stringContaining('txnId=');
        expect([answer.status, answer.json()]).toEqual([200, { id, token_url, upi: null }]);
        const fetched = await stage.get(id);
        expect(fetched).toMatchObject({ token_url, status: 'PENDING' });
        expect(fetched).not.toHaveProperty('sdk_options');
        expect(stage.sdkvendor.mandates.registered).toEqual([]);
      },
    );

    it('needs a postback address', async () => {
      stage.neighbours.settings.sdk_options_enabled = true;
      const mandate = stage.neighbours.mandates.aMandate({ provider_name: 'SDKVENDOR' });
      const answer = await stage.authorise(mandate.id, { upi: undefined });
      expect(answer.status).toBe(400);
      expect(answer.body).toContain('payment_postback_url');
    });
  });

  it('returns only the page for a provider without an SDK', async () => {
    stage.neighbours.settings.sdk_options_enabled = true;
    const mandate = stage.neighbours.mandates.aMandate({ provider_name: 'GATEWAYPOA' });
    const body = { upi: undefined, payment_postback_url: 'https://app.example/back' };
    const answer = await stage.authorise(mandate.id, body);
    const { id } = answer.json<{ id: number }>();
    expect([answer.status, answer.json()]).toEqual([
      200,
      { id, token_url: expect.stringContaining('txnId='), upi: null },
    ]);
    expect(await stage.get(id)).toMatchObject({ token_url: answer.json<{ token_url: string }>().token_url });
  });

  it.each([
    ['a mobile number', { email: 'investor@example.com', isd_code: '91', mobile: null }],
    ['an e-mail address', { email: null, isd_code: '91', mobile: '9876543210' }],
  ])(
    'by UPI, for an investor without %s, is a 400 that names what is missing, and the mandate is free (MAN-22)',
    async (what, contacts) => {
      stage.neighbours.contacts = contacts;
      const mandate = stage.neighbours.mandates.aMandate({ provider_name: 'SDKVENDOR' });
      const answer = await stage.authorise(mandate.id, {});
      expect(answer.status).toBe(400);
      expect(answer.body).toContain(`is of an investor without ${what}, which SDKVENDOR requires`);
      expect(mandate.authorising).toBeNull();
      const elsewhere = stage.neighbours.mandates.aMandate({ provider_name: 'GATEWAYPOA' });
      expect((await stage.authorise(elsewhere.id, {})).status).toBe(200);
    },
  );

  it('for an e-mandate of a provider without e-mandates is a 400 that explains what to do (MAN-21)', async () => {
    stage.neighbours.settings.sdk_options_enabled = true;
    const changes = { provider_name: 'GATEWAYPOA', mandate_type: 'E_MANDATE' } as const;
    const mandate = stage.neighbours.mandates.aMandate(changes);
    const answer = await stage.authorise(mandate.id, { upi: undefined });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('use SDKVENDOR');
  });
});
