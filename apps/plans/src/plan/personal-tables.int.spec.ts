import { newId, type PersonErased, type PersonStanding } from '@fundrail/contracts';
import { PlansUnderTest, PLANS } from '../testing/plans-under-test.ts';
import { ACCOUNT, CONSENT } from '../testing/plan.builder.ts';

const MARKED_IP = '203.0.113.77';
const REASON = 'my mother Zqmark wants it';

describe('the personal data of plans (INV-19)', () => {
  let stage: PlansUnderTest;
  beforeAll(async () => {
    stage = await PlansUnderTest.start();
  });
  afterAll(() => stage.stop());

  const person = {
    ...{ tenant: 'demo', investor_profile: newId('investorProfile'), bank_accounts: [] },
    mf_investment_accounts: [ACCOUNT],
  };
  const ask = async <T>(what: string, subjects: readonly string[] = []): Promise<T> =>
    (await stage.asService<T>('identity', `/internal/personal_data/${what}`, { ...person, subjects })).body;

  it('stays while a plan goes on; afterwards it is in no table, nor are the words with which it was cancelled', async () => {
    const { id } = await stage.createActive({ user_ip: MARKED_IP });
    await stage.at('2027-01-06T00:00');
    expect(await ask<PersonStanding>('standing')).toMatchObject({ live: true });
    expect(await ask('erasure')).toEqual({ erased: null });
    const body = { cancellation_code: 'custom_reason', cancellation_reason: REASON };
    expect(await stage.ask('POST', `${PLANS}/${id}/cancel`, { body })).toMatchObject({ status: 200 });
    await stage.settled();

    const values = [MARKED_IP, CONSENT.email, CONSENT.mobile, REASON];
    expect(await stage.tablesWith(...values)).toEqual(['outbox', 'redemption_plans']);
    const { subjects } = await ask<PersonStanding>('standing');
    const { erased } = await ask<PersonErased>('erasure', subjects);
    expect(erased?.find(({ table }) => table === 'redemption_plans')?.rows).toBe(1);
    expect(await stage.tablesWith(...values)).toEqual([]);
    expect(await stage.get(id)).toMatchObject({
      ...{ id, state: 'cancelled', reason: null, cancellation_code: 'custom_reason', user_ip: null },
      consent: { email: null, isd_code: null, mobile: null },
    });
  });
});
