import { ServiceClient } from '@fundrail/service-kit/http';
import { jest } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { PaymentsStage } from '../testing/start-payments.ts';
import { ReadStandings } from './read-standings.ts';

describe('the state of payments', () => {
  let stage: PaymentsStage;
  beforeAll(async () => {
    stage = await PaymentsStage.start();
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await stage.stop();
  });

  it('given many ids without a payment, then the provider is queried about a few at a time', async () => {
    jest.spyOn(stage.service.app.get(ServiceClient), 'call').mockResolvedValue({ debits: [] });
    let underWay = 0;
    let most = 0;
    jest.spyOn(stage.provider, 'paymentStatus').mockImplementation(async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await turn();
      underWay -= 1;
      return { kind: 'not_found' };
    });
    const ids = Array.from({ length: 40 }, (_, index) => 900_000 + index);
    const standings = await stage.service.app.get(ReadStandings).execute(ids);
    expect(standings.map(({ payment_id }) => payment_id).sort((a, b) => a - b)).toEqual(ids);
    expect(most).toBe(8);
  });
});
