import { PRODUCT_SERVICES } from '@fundrail/contracts';
import { post } from '../lib/api.ts';
import { makeInvestor, withBankAccounts, type Investor } from '../lib/investor.ts';
import { startKafka } from '../lib/kafka.ts';
import { startPostgres } from '../lib/postgres.ts';
import { Processes } from '../lib/processes.ts';
import { productionVariables } from '../lib/product.ts';
import { startServices, type ServiceUrls } from '../lib/services.ts';
import { size } from '../lib/size.ts';
import { startEdge } from './edge.ts';
import { Endpoint } from './endpoint.ts';
import { Front } from './front.ts';
import { GATEWAY_SECRETS, startOutside, type Outside } from './outside.ts';
import { Run } from './run.ts';

/** Each with an investor and an endpoint. */
const TENANTS = size(8, 2);
/** Of each investor: each pays a few purchases. */
const BANK_ACCOUNTS = size(200, 2);

/**
 * Complete purchases, from the order to the registrar's answer, each event delivered to an endpoint: as fast as some buyers can, step
 * by step, and by a schedule at half that rate. The services are processes; this process is the world outside of them, buyers included.
 */
export async function walkBench(): Promise<object> {
  await using postgres = await startPostgres();
  await using kafka = await startKafka();
  await using processes = new Processes();
  const endpoint = new Endpoint();
  await using outside = await startOutside(endpoint);
  const { brokers, prefix = '' } = kafka.connection;
  const urls = await startProduct(processes, {
    ...productionVariables(postgres.url),
    ...GATEWAY_SECRETS,
    GATEWAYPOA_BASE_URL: outside.url,
    KAFKA_BROKERS: brokers.join(','),
    KAFKA_PREFIX: prefix,
  });
  await using edge = await startEdge(urls);
  if (!edge)
    console.log('no edge: nginx is not installed, so buyers and callbacks reach the services directly');
  if (!kafka.part) console.log('no figures of Kafka: its process is not on this machine, or one of several');
  await using front = new Front(urls, edge?.url ?? null);
  outside.reportTo(front);
  const investors = await makeInvestors(urls, outside, endpoint);
  const services = processes.parts.map((part) => ({ ...part, name: part.name.split('/')[1] ?? part.name }));
  const around = [kafka.part, edge?.part].filter((part) => part !== undefined && part !== null);
  const parts = [postgres.part, ...around, ...services];
  const run = new Run({ front, endpoint, gateway: outside.gateway }, investors, parts);
  return await run.measure(postgres.url);
}

/** Only a sandbox sends webhooks to this machine; the other services run as in production. */
async function startProduct(
  processes: Processes,
  variables: Readonly<Record<string, string>>,
): Promise<ServiceUrls> {
  const others = PRODUCT_SERVICES.filter((name) => name !== 'webhooks');
  const urls = await startServices(others, processes, variables);
  // At the default of 100 a second, an endpoint would be a queue.
  const own = { ...variables, SANDBOX: 'true', WEBHOOK_ENDPOINT_RATE: '10000' };
  return startServices(['webhooks'], processes, own, urls);
}

async function makeInvestors(urls: ServiceUrls, outside: Outside, endpoint: Endpoint): Promise<Investor[]> {
  const ofTenants: Investor[][] = [];
  for (let number = 1; number <= TENANTS; number += 1) {
    const investor = await makeInvestor(urls.identity, `bench-${number}`);
    const path = `/hooks/${number}`;
    const asked = { url: outside.url + path, events: ['mf_purchase.*', 'payment.*'] };
    const { secret } = await post(urls.webhooks, '/v2/notification_webhooks', investor.token, asked);
    endpoint.expect(path, String(secret));
    ofTenants.push(await withBankAccounts(urls.identity, investor, BANK_ACCOUNTS));
  }
  // In turn, so that purchases that follow each other are of different tenants.
  return Array.from({ length: BANK_ACCOUNTS }, (_, index) =>
    ofTenants.flatMap((investors) => investors[index] ?? []),
  ).flat();
}
