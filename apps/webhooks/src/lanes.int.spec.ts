import { waitFor } from '@fundrail/testing';
import { EndpointServer } from './testing/endpoint-server.ts';
import { WebhooksStage } from './testing/webhooks-stage.ts';

// Longer than a test waits: an endpoint that had to wait for a silent one would receive nothing.
const PATIENT = { WEBHOOK_TIMEOUT_MS: '60000' };

describe('slow endpoints', () => {
  it('and silent ones do not delay others (HOOK-14)', async () => {
    // given
    const stage = await WebhooksStage.start(PATIENT);
    const silent = await EndpointServer.start();
    silent.answer = () => undefined;
    const endpoint = await stage.endpoint(silent.url);
    const lively = await EndpointServer.start();
    await stage.endpoint(lively.url);
    // when
    await Promise.all(Array.from({ length: 40 }, () => stage.publish()));
    // then
    await waitFor(() => lively.hits.length === 40, { limitMs: 50_000 });
    expect(await stage.deliveries(endpoint, '?status=delivered')).toEqual([]);
    await Promise.all([silent.stop(), lively.stop()]);
    await stage.end();
  });

  it('do not delay others, although they have more deliveries than this process has slots', async () => {
    // given: as many slow responses as there are slots, and more waiting
    const stage = await WebhooksStage.start({ ...PATIENT, WEBHOOK_CONCURRENCY: '4' });
    const slow = await EndpointServer.start();
    slow.answer = () => undefined;
    await stage.endpoint(slow.url, ['*'], 'slow');
    await stage.endpoint(slow.url, ['*'], 'slow');
    await Promise.all(Array.from({ length: 20 }, () => stage.publish({ tenant: 'slow' })));
    await waitFor(() => slow.hits.length >= 4);
    const lively = await EndpointServer.start();
    await stage.endpoint(lively.url, ['*'], 'lively');
    // when
    await Promise.all(Array.from({ length: 20 }, () => stage.publish({ tenant: 'lively' })));
    // then
    await waitFor(() => lively.hits.length === 20, { limitMs: 50_000 });
    await Promise.all([slow.stop(), lively.stop()]);
    await stage.end();
  });

  it('of one tenant, even many, leave room for every other tenant', async () => {
    // given: a tenant whose endpoints could fill this process, and do not respond during the test
    const stage = await WebhooksStage.start({
      ...PATIENT,
      WEBHOOK_CONCURRENCY: '12',
      WEBHOOK_IN_FLIGHT: '12',
    });
    const silent = await EndpointServer.start();
    silent.answer = () => undefined;
    for (let count = 0; count < 4; count += 1) await stage.endpoint(silent.url, ['*'], 'slow');
    await Promise.all(Array.from({ length: 5 }, () => stage.publish({ tenant: 'slow' })));
    await waitFor(() => silent.hits.length === 6);
    // when
    const lively = await EndpointServer.start();
    await stage.endpoint(lively.url, ['*'], 'lively');
    await Promise.all(Array.from({ length: 20 }, () => stage.publish({ tenant: 'lively' })));
    // then
    await waitFor(() => lively.hits.length === 20, { limitMs: 50_000 });
    expect(silent.hits).toHaveLength(6);
    await Promise.all([silent.stop(), lively.stop()]);
    await stage.end();
  });
});
