import { signCallback, SIGNATURE_HEADER } from '@fundrail/providers';
import { bootstrap, SANDBOX_SECRETS, type RunningService } from '@fundrail/service-kit';
import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import { ordersService } from './index.ts';
import { FakeNeighbours } from './testing/fake-neighbours.ts';

describe('the service as it is run', () => {
  let database: TestDatabase;
  let orders: RunningService;
  const env = () => ({ SANDBOX: 'true', LOG_LEVEL: 'silent', ORDERS_DATABASE_URL: database.url });
  const transport = new FakeNeighbours();

  beforeAll(async () => {
    database = await createTestDatabase(ordersService);
    const GATEWAYPOA_BASE_URL = 'http://127.0.0.1:9';
    orders = await bootstrap(ordersService, {
      env: { ...env(), GATEWAYPOA_BASE_URL },
      transport,
      listen: false,
    });
  });
  afterAll(async () => {
    await orders.stop();
    await database.drop();
  });

  it('is ready', async () => {
    expect((await orders.fastify.inject('/health/ready')).statusCode).toBe(200);
  });

  it('reports the missing variable', async () => {
    await expect(bootstrap(ordersService, { env: env(), transport, listen: false })).rejects.toThrow(
      'GATEWAYPOA_BASE_URL',
    );
  });

  it('accepts a callback that gatewaypoa has signed, and no other', async () => {
    const body = JSON.stringify({
      event_id: 'e1',
      reference: `mfp_${'0'.repeat(32)}`,
      event: 'order.updated',
    });
    const post = (secret: string) =>
      orders.fastify.inject({
        method: 'POST',
        url: '/callbacks/gatewaypoa/orders',
        headers: {
          'content-type': 'application/json',
          [SIGNATURE_HEADER]: signCallback(secret, body, new Date()),
        },
        payload: body,
      });
    expect((await post(SANDBOX_SECRETS.GATEWAYPOA_WEBHOOK_SECRET)).statusCode).toBe(200);
    expect((await post('somebody else')).statusCode).toBe(400);
  });

  it('documents its public routes and none of the internal ones (ORD-1)', () => {
    expect(Object.keys(orders.document.paths).sort()).toEqual([
      '/callbacks/gatewaypoa/orders',
      '/v2/mf_folios',
      '/v2/mf_purchases',
      '/v2/mf_purchases/batch',
      '/v2/mf_purchases/{id}',
      '/v2/mf_purchases/{id}/cancel',
      '/v2/mf_purchases/{id}/retry',
      '/v2/mf_redemptions',
      '/v2/mf_redemptions/batch',
      '/v2/mf_redemptions/{id}',
      '/v2/mf_redemptions/{id}/cancel',
    ]);
  });
});
