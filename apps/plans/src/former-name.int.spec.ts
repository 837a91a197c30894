import { newId } from '@fundrail/contracts';
import { PlansUnderTest } from './testing/plans-under-test.ts';

// What release 0.1 has stored under `swp`, and what its replicas know by that name (decision 0053).
describe('plans beside replicas that are called swp', () => {
  let stage: PlansUnderTest;
  beforeAll(async () => {
    stage = await PlansUnderTest.start();
  });
  afterAll(() => stage.stop());

  it('drops the events that they have handled, and handles the others under the same group', async () => {
    const { id } = await stage.createActive({ number_of_installments: 2 });
    await stage.at('2027-03-01T00:00');
    const [first, second] = await stage.published(id);
    if (!first || !second) throw new Error('two were due');
    await stage.rows(`INSERT INTO inbox (consumer_group, event_id) VALUES ('swp', 'evt_handled')`);

    await stage.ended(first, 'successful', 'evt_handled');
    await stage.ended(second, 'successful', 'evt_new');

    expect(await stage.rows('SELECT consumer_group, event_id FROM inbox ORDER BY event_id')).toEqual([
      { consumer_group: 'swp', event_id: 'evt_handled' },
      { consumer_group: 'swp', event_id: 'evt_new' },
    ]);
    expect(
      await stage.rows(
        'SELECT installment_number AS number, ended_at IS NOT NULL AS has_ended FROM plan_installments WHERE plan_id = $1 ORDER BY 1',
        id,
      ),
    ).toEqual([
      { number: 1, has_ended: false },
      { number: 2, has_ended: true },
    ]);
  });

  it('is counted among them by its connections, which show its keys', async () => {
    const names = await stage.rows<{ application_name: string }>(
      'SELECT DISTINCT application_name FROM pg_stat_activity WHERE datname = current_database() AND pid = pg_backend_pid()',
    );
    expect(names).toEqual([{ application_name: expect.stringMatching(/^fundrail-swp \S+ v2$/) as string }]);
  });

  it('takes the request for an installment at the path that they call', async () => {
    const plan = await stage.createActive({ auto_generate_installments: false });
    const asked = { tenant: 'demo', plan: plan.id, redemption: newId('redemption') };
    const now = await stage.asService('orders', '/internal/plans/installments', asked);
    const before = await stage.asService('orders', '/internal/swp/installments', asked);
    expect(before.status).toBe(200);
    expect(before.body).toEqual(now.body);
  });
});
