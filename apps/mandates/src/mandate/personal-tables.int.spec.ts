import { newId, type PersonStanding } from '@fundrail/contracts';
import { noSuchObject } from '@fundrail/testing';
import { jest } from '@jest/globals';
import { MandatesUnderTest } from '../testing/mandates-under-test.ts';

describe('the personal data of mandates (INV-17)', () => {
  let stage: MandatesUnderTest;
  beforeAll(async () => {
    stage = await MandatesUnderTest.start();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => stage.stop());

  it('is kept by a mandate from its authorisation to its end, and a year from its creation when it is never authorised', async () => {
    const person = {
      ...{ tenant: 'demo', investor_profile: newId('investorProfile'), mf_investment_accounts: [] },
      ...{ bank_accounts: [7], subjects: [] },
    };
    const standing = async () =>
      (await stage.asService<PersonStanding>('identity', '/internal/personal_data/standing', person)).body;
    const mandate_id = await stage.create();
    expect(await standing()).toMatchObject({
      ...{ live: false, subjects: [`mandate:${mandate_id}`] },
      last_processed_at: expect.stringMatching(new RegExp(`^${stage.today}T`)) as string,
    });
    await stage.authorisationFact({ mandate_id });
    expect(await standing()).toMatchObject({ live: true });
    await stage.ask('POST', `/api/pg/mandates/${mandate_id}/cancel`, { body: {} });
    await stage.settled();
    expect(await standing()).toMatchObject({ live: false });
  });

  it('belongs to no new mandate 20 s after the investor is closed, although its account was known (INV-18)', async () => {
    await stage.create();
    const others = stage.neighbours;
    const [answerOf, now] = [others.request.bind(others), performance.now.bind(performance)];
    jest
      .spyOn(others, 'request')
      .mockImplementation((service, request) =>
        request.path.startsWith('/internal/bank_accounts/')
          ? Promise.resolve(noSuchObject())
          : answerOf(service, request),
      );
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 20_000);
    const mandate = { mandate_type: 'upi', bank_account_id: 7, provider_name: 'GATEWAYPOA' };
    const body = { ...mandate, mandate_limit: 5000 };
    expect(await stage.refused('POST', '/api/pg/mandates', { body })).toMatchObject({
      ...{ status: 400, body: { error: { errors: [{ field: 'bank_account_id' }] } } },
    });
  });
});
