import { readMetrics, waitFor, WebhookReceiver, type Series } from '@fundrail/testing';
import { isInTable, metricTable, operationsPage } from '../../tools/observability/operations-page.ts';
import { describeOpenProducts, type OpenProduct } from './testing/open-products.ts';
import { ok, payableOrder, requestPayment } from './testing/purchase.ts';

/** What a label value may be: a name, a route, a kind, an HTTP status; no id, no address, no personal data. */
const BOUNDED = /^(?!.*(\d{4,}|[a-z]{2,4}_[\da-f]{6,}|@))[\w.:/{}*+ -]*$/;

describeOpenProducts('the metrics of the product', (start) => {
  let product: OpenProduct;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    // Rate limits have metrics too, and other suites switch them off.
    product = await start({ RATE_LIMITS: 'on' });
    const client = await product.client();
    ok(await client.post('/v2/notification_webhooks', { url: receiver.url, events: ['*'] }));
    const order = await payableOrder(client);
    ok(await requestPayment(client, [order]));
    ok(await client.call('PATCH', '/v2/mf_purchases', { id: order.id, state: 'confirmed' }));
    await receiver.next(({ body }) => body.type === 'mf_purchase.submitted');
  });
  afterAll(async () => {
    await Promise.all([product.stop(), receiver.stop()]);
  });
  const everySeries = async (): Promise<Series[]> =>
    (await Promise.all(product.opsUrls.map((url) => readMetrics(url)))).flat();

  it('are those of docs/operations/monitoring.md, with the labels that it names', async () => {
    const table = metricTable(operationsPage('monitoring.md'));
    const published = await waitFor(
      async () => {
        const series = await everySeries();
        const isThere = (name: string) =>
          series.some((one) => one.name === name || one.name === `${name}_count`);
        return [...table.keys()].every((name) => name.endsWith('*') || isThere(name)) ? series : null;
      },
      { what: 'every metric of the page' },
    );
    const ours = published.filter(({ name }) => !/^(process|nodejs)_/.test(name));
    expect(ours.filter(({ name }) => !isInTable(table, name))).toEqual([]);
    for (const { name, labels } of ours) {
      const named = table.get(name) ?? table.get(name.replace(/_(bucket|sum|count)$/, ''));
      const found = Object.keys(labels).filter((label) => label !== 'service' && label !== 'le');
      expect([name, found.toSorted()]).toEqual([name, (named ?? []).toSorted()]);
    }
  });

  it('have labels of few values: no id, and no personal data', async () => {
    const values = (await everySeries()).flatMap(({ name, labels }) =>
      Object.entries(labels).map(([label, value]) => `${name} ${label} ${value}`),
    );
    expect(values.length).toBeGreaterThan(500);
    const unbounded = values.filter((text) => !BOUNDED.test(text.replace(/^\S+ le \S+$/, '')));
    expect(unbounded.filter((text) => !text.startsWith('nodejs_version_info'))).toEqual([]);
  });

  it('count the calls, use cases and attempts of that purchase', async () => {
    const count = async (name: string, labels: Readonly<Record<string, string>>) =>
      (await everySeries())
        .filter((one) => one.name === `${name}_count`)
        .filter((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))
        .reduce((sum, { value }) => sum + value, 0);
    const submit = {
      provider: 'gatewaypoa',
      operation: 'POST /gatewaypoa/orders/submit',
      outcome: 'answered',
    };
    expect(await count('fundrail_provider_call_duration_seconds', submit)).toBeGreaterThanOrEqual(1);
    const created = { service: 'payments', use_case: 'create_payment', outcome: 'done' };
    expect(await count('fundrail_use_case_duration_seconds', created)).toBe(1);
    expect(
      await count('fundrail_webhook_attempt_duration_seconds', { outcome: 'delivered' }),
    ).toBeGreaterThanOrEqual(1);
  });
});
