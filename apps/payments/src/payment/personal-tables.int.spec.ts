import { newId, type PersonErased, type PersonIds, type PersonStanding } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import type { FakeOrder } from '../testing/fake-neighbours.ts';
import { APPROVED } from '../testing/fake-provider-mandates.ts';
import { PaymentsStage } from '../testing/start-payments.ts';

const VPA = 'zqmark@upi';
const BACK = 'https://app.example/back/zqmark@upi?of=Zqmark#zqmark';

describe('the personal data of payments (INV-19)', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  const person = {
    ...{ tenant: 'demo', investor_profile: newId('investorProfile') },
    ...{ mf_investment_accounts: [], bank_accounts: [7], subjects: [] },
  };
  const ask = async <T>(what: string, ids: PersonIds = person): Promise<T> =>
    (await stage.asService<T>('identity', `/internal/personal_data/${what}`, ids)).body;
  const standing = () => ask<PersonStanding>('standing');
  /** The person with the subjects that the service knows, as identity sends them. */
  const known = async (): Promise<PersonIds> => ({ ...person, subjects: (await standing()).subjects });

  async function cancelled(order: FakeOrder, id: number): Promise<void> {
    await stage.send('POST', `/api/pg/payments/${id}/cancel`);
    await stage.orderBecomes(order, 'cancelled', 'mf_purchase.cancelled');
    await stage.settled();
  }

  it('stays while a payment goes on, and is in no table afterwards: UPI ID, name of the order, address of the client', async () => {
    const order = stage.neighbours.anOrder();
    const upi = { type: 'collect', vpa: VPA };
    const { id } = (await stage.create([order], { upi })).json<{ id: number }>();
    const paged = stage.neighbours.anOrder();
    const display_names = [{ amc_order_id: paged.old_id, display_name: 'Savings of Zqmark' }];
    const shown = await stage.checkOut([paged], { display_names, payment_postback_url: BACK });
    expect(await standing()).toMatchObject({ live: true });
    expect(await ask('erasure')).toEqual({ erased: null });

    await cancelled(order, id);
    await cancelled(paged, shown.json<{ id: number }>().id);
    expect(await stage.tablesWith(VPA, 'Zqmark')).toEqual([
      'checkouts',
      'outbox',
      'payment_orders',
      'payments',
    ]);
    const { erased } = await ask<PersonErased>('erasure', await known());
    expect(erased?.find(({ table }) => table === 'checkouts')).toEqual({ table: 'checkouts', rows: 1 });
    expect(await stage.tablesWith(VPA, 'Zqmark')).toEqual([]);
    expect(await stage.rows('SELECT postback_url FROM checkouts')).toEqual([
      { postback_url: 'https://app.example' },
    ]);
    expect(await stage.get(id)).toMatchObject({ status: 'FAILED', upi: { type: 'collect', vpa: null } });
  });

  it('is not kept by an authorisation that has succeeded: nothing follows it', async () => {
    const { id: mandate } = stage.neighbours.mandates.aMandate();
    const { id } = (await stage.authorise(mandate)).json<{ id: number }>();
    expect(await standing()).toMatchObject({ live: true });
    const fact = { about: 'authorisation', authorisation: APPROVED } as const;
    await stage.report({ reference: paymentReference(id), fact });
    expect(await stage.get(id)).toMatchObject({ status: 'SUCCESS' });
    expect(await standing()).toMatchObject({ live: false });
  });

  it('is not exported when it is more than one answer holds, and says so before it reads it', async () => {
    await stage.pay();
    await stage.rows(
      `UPDATE payment_orders SET display_name = repeat('x', 33 * 1048576) RETURNING payment_id`,
    );
    const answer = await stage.asService('identity', '/internal/personal_data/export', person);
    expect(answer).toMatchObject({ status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } });
  });
});
