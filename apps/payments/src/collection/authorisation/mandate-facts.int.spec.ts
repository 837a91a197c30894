import { eventData, mandateFact, parseJson } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import { APPROVED } from '../../testing/fake-provider-mandates.ts';
import { PaymentsStage } from '../../testing/start-payments.ts';

describe('facts about mandates that payments receives', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  describe("a provider's notification about a mandate", () => {
    const report = (event_id: string, state: 'paused' | 'cancelled', mandate_token = 'token_1') =>
      stage.report(
        { event_id, reference: mandate_token, fact: { about: 'mandate', mandate_token, state } },
        'good',
        'sdkvendor',
      );

    it('is published once, in order, for the tenant of the mandate (GATE-9)', async () => {
      stage.neighbours.settings.sdk_options_enabled = true;
      const mandate = stage.neighbours.mandates.aMandate({ provider_name: 'SDKVENDOR' });
      const { id } = (await stage.authorise(mandate.id)).json<{ id: number }>();
      const fact = { about: 'authorisation', authorisation: APPROVED } as const;
      await stage.report({ reference: paymentReference(id), fact }, 'good', 'sdkvendor');
      for (const id of ['m1', 'm1', 'm2'])
        expect((await report(id, id === 'm1' ? 'paused' : 'cancelled')).status).toBe(200);
      const rows = await stage.rows<{ type: string; sequence: number; tenant: string; data: string }>(
        "SELECT type, sequence, tenant, data FROM outbox WHERE aggregate_id = 'token_1' ORDER BY sequence",
      );
      expect(rows.map(({ sequence, tenant }) => [sequence, tenant])).toEqual([
        [1, 'demo'],
        [2, 'demo'],
      ]);
      expect(rows.map(({ data }) => eventData(mandateFact).parse(parseJson(data)).object)).toEqual([
        { provider_name: 'SDKVENDOR', mandate_token: 'token_1', status: 'paused', event_id: 'm1' },
        { provider_name: 'SDKVENDOR', mandate_token: 'token_1', status: 'cancelled', event_id: 'm2' },
      ]);
    });

    it('is reported to mandates before the provider is answered, and again with the same event when mandates did not answer', async () => {
      const mandate = stage.neighbours.mandates.aMandate();
      const { id } = (await stage.authorise(mandate.id)).json<{ id: number }>();
      const { forwarded, loses } = stage.neighbours.mandates;
      const fact = { about: 'authorisation', authorisation: APPROVED } as const;
      await stage.report({ reference: paymentReference(id), fact });
      const gatewaypoa = (event_id: string, mandate_token = 'token_1') =>
        stage.report({
          event_id,
          reference: mandate_token,
          fact: { about: 'mandate', mandate_token, state: 'paused' },
        });
      loses.add('facts');
      expect((await gatewaypoa('m1')).status).toBe(503);
      loses.clear();
      expect((await gatewaypoa('m1')).status).toBe(200);
      expect(new Set(forwarded)).toEqual(new Set(['m1']));
      const before = forwarded.length;
      for (let times = 0; times < 2; times += 1) await gatewaypoa('m2', 'token_9');
      expect(forwarded).toHaveLength(before);
      expect(await stage.rows("SELECT 1 FROM outbox WHERE type = 'mandate_fact.received'")).toHaveLength(1);
    });

    it('with a token of no authorisation of ours is accepted and ignored', async () => {
      expect((await report('m1', 'paused', 'token_9')).status).toBe(200);
      expect(await stage.rows('SELECT 1 FROM outbox')).toEqual([]);
    });
  });
});
