import fc from 'fast-check';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';
import { ACCOUNT } from '../testing/purchase.builder.ts';

const VALID = { mf_investment_account: ACCOUNT, scheme: 'INF173K01FE6', amount: 5000 };
const URL = '/v2/mf_purchases';

/** Each field of a body with its value. */
const recordOf = (body: object) =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]: [string, unknown]) => [name, fc.constant(value)]),
  );

describe('bad input over HTTP', () => {
  let orders: OrdersUnderTest;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());

  it('answers any input with 200 or with a 4xx in the common error format', async () => {
    const field = fc.constantFrom(
      ...Object.keys(VALID),
      'id',
      'state',
      'consent',
      'mf_purchases',
      'source_ref_id',
      'user_ip',
    );
    const value = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.constantFrom(...Object.values(VALID)),
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(field, value),
      fc.record({ ...recordOf(VALID), source_ref_id: value }),
    );
    const route = fc.constantFrom(['POST', URL], ['PATCH', URL], ['POST', `${URL}/batch`], [
      'PATCH',
      `${URL}/batch`,
    ] as const);
    const send = async ([method, url]: readonly string[], sent: unknown) => {
      const answer = await orders.refused(method === 'POST' ? 'POST' : 'PATCH', url ?? URL, { body: sent });
      expect(answer.status).toBeLessThan(500);
      if (answer.status !== 200) expect(answer.body.error.errors).toBeInstanceOf(Array);
    };
    await fc.assert(fc.asyncProperty(route, body, send), { numRuns: 300 });
  });

  it.each(['%00', '%F0%9F%92%A9', '0', '-1', '1e9', '999999999999999999999', 'mfp_', "' OR 1=1"])(
    'knows no order by the id %s',
    async (id) => {
      expect((await orders.refused('GET', `${URL}/${id}`)).status).toBe(404);
      expect((await orders.refused('POST', `${URL}/${id}/cancel`)).status).toBe(404);
    },
  );

  it('knows the path batch, but not for GET (CONV-17), and no order by that id', async () => {
    expect((await orders.refused('GET', `${URL}/batch`)).status).toBe(405);
    expect((await orders.refused('POST', `${URL}/batch/cancel`)).status).toBe(404);
  });
});
