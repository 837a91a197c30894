import { waitFor } from '@fundrail/testing';
import { EndpointServer } from './testing/endpoint-server.ts';
import { WebhooksStage } from './testing/webhooks-stage.ts';

// Half of the default time-out: a healthy endpoint that had to wait for a slow one would take longer.
const SOON_MS = 7_500;

describe('slow endpoints', () => {
  it('and silent ones do not delay others (HOOK-14)', async () => {
    // given
    const stage = await WebhooksStage.start({ WEBHOOK_TIMEOUT_MS: '400' });
    const silent = await EndpointServer.start();
    silent.answer = () => undefined;
    const endpoint = await stage.endpoint(silent.url);
    const lively = await EndpointServer.start();
    await stage.endpoint(lively.url);
    // when
    const began = performance.now();
    await Promise.all(Array.from({ length: 40 }, () => stage.publish()));
    await waitFor(() => lively.hits.length === 40);
    // then: the silent one alone would take 40 time-outs one by one
    expect(performance.now() - began).toBeLessThan(40 * 400);
    expect(await stage.deliveries(endpoint, '?status=delivered')).toEqual([]);
    await Promise.all([silent.stop(), lively.stop()]);
    await stage.end();
  });

  it('do not delay others, although they have more deliveries than this process has slots', async () => {
    // given: as many slow responses as there are slots, and more waiting
    const stage = await WebhooksStage.start({ WEBHOOK_CONCURRENCY: '4' });
    const slow = await EndpointServer.start();
    slow.answer = () => undefined;
    await stage.endpoint(slow.url, ['*'], 'slow');
    await stage.endpoint(slow.url, ['*'], 'slow');
    await Promise.all(Array.from({ length: 20 }, () => stage.publish({ tenant: 'slow' })));
    await waitFor(() => slow.hits.length >= 4);
    const lively = await EndpointServer.start();
    await stage.endpoint(lively.url, ['*'], 'lively');
    // when
    const began = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => stage.publish({ tenant: 'lively' })));
    await waitFor(() => lively.hits.length === 20, { limitMs: 60_000 });
    // then
    expect(performance.now() - began).toBeLessThan(SOON_MS);
    await Promise.all([slow.stop(), lively.stop()]);
    await stage.end();
  });

  it('of one tenant, even many, leave room for every other tenant', async () => {
    // given: a tenant whose endpoints could fill this process, and do not respond during the test
    const stage = await WebhooksStage.start({
      WEBHOOK_CONCURRENCY: '12',
      WEBHOOK_IN_FLIGHT: '12',
      WEBHOOK_TIMEOUT_MS: '60000',
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
    await waitFor(() => lively.hits.length === 20);
    expect(silent.hits).toHaveLength(6);
    await Promise.all([silent.stop(), lively.stop()]);
    await stage.end();
  });
});
