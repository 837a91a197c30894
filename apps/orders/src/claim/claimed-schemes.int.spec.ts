import { OrdersUnderTest } from '../testing/orders-under-test.ts';

const PAYMENT = 1001;

describe('a claim', () => {
  let orders: OrdersUnderTest;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());

  it('returns the scheme of each order, the first time and when it is repeated', async () => {
    const { old_id } = await orders.createPayable();
    const { scheme } = await orders.get(old_id);
    const answered = { outcome: 'claimed', orders: [{ old_id, scheme }] };
    expect(await orders.claim(PAYMENT, [old_id])).toMatchObject(answered);
    expect(await orders.claim(PAYMENT, [old_id])).toMatchObject(answered);
  });
});
