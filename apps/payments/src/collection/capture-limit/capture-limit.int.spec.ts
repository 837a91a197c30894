import { PaymentsStage } from '../../testing/start-payments.ts';

describe('the capture route, which has no token', () => {
  let stage: PaymentsStage;
  beforeAll(async () => {
    stage = await PaymentsStage.start({
      CAPTURE_RATE_PER_SECOND: '1',
      CAPTURE_BURST: '3',
      TRUSTED_PROXIES: '127.0.0.0/8',
    });
  });
  afterAll(() => stage.stop());

  const guess = async (client: string, remoteAddress = '127.0.0.1') =>
    stage.service.fastify.inject({
      method: 'POST',
      url: '/api/pg/payments/netbanking/sdkvendor/capture/999999',
      headers: { 'x-forwarded-for': client },
      remoteAddress,
      payload: { error: { code: 'BAD_REQUEST_ERROR' } },
    });

  it('given too many posts from one address, then it is 429 with Retry-After, and other addresses are served (CAP-12)', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => guess('203.0.113.9')));
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused.length).toBeGreaterThanOrEqual(2);
    expect(refused[0]?.json()).toMatchObject({ error: { code: 'RATE_LIMITED', status: 429 } });
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect((await guess('203.0.113.10')).statusCode).toBe(404);
  });

  it('given a caller that is not our proxy, when it sends other X-Forwarded-For addresses, then they are ignored', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) => guess(`198.51.100.${n}`, '203.0.113.77')),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThanOrEqual(2);
  });
});
