import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { refuseArguments, sentenceOf } from '../usage.ts';
import { BuyerApp } from './buyer-app.ts';
import { collectFlow, pageFlow, sdkFlow } from './flows.ts';
import { mandateFlow } from './mandate-flow.ts';
import { createInvestor } from './investor.ts';
import { findServer } from './own-server.ts';
import { PurchaseSteps } from './purchase-steps.ts';
import { registerEndpoint } from './register-endpoint.ts';
import { sipFlow } from './sip-flow.ts';
import { swpFlow } from './swp-flow.ts';
import { Transcript } from './transcript.ts';
import {
  declinedThenRetried,
  onePurchase,
  paymentExpires,
  registrarRefuses,
  reviewRefused,
  twoOrdersOnePayment,
} from './walks.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';

const WALKS = [
  onePurchase,
  twoOrdersOnePayment,
  reviewRefused,
  registrarRefuses,
  declinedThenRetried,
  paymentExpires,
  mandateFlow,
  swpFlow,
];

/** `--flow`: a single way to pay, a mandate, a systematic purchase plan, or a systematic withdrawal. */
const FLOWS = {
  collect: collectFlow,
  page: pageFlow,
  sdk: sdkFlow,
  mandate: mandateFlow,
  sip: sipFlow,
  swp: swpFlow,
} as const;
const USAGE = `npm run demo [-- --flow ${Object.keys(FLOWS).join('|')}]`;
const { flow, walks } = chosenWalks();

/** The walks that the arguments select. A wrong argument ends the process before anything is started. */
function chosenWalks() {
  try {
    const { flow: name, help } = parseArgs({
      options: { flow: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    }).values;
    if (help) {
      console.log(USAGE);
      process.exit(0);
    }
    if (name === undefined) return { flow: name, walks: WALKS };
    const chosen = Object.entries(FLOWS).find(([known]) => known === name)?.[1];
    if (!chosen) throw new Error(`--flow must be one of ${Object.keys(FLOWS).join(', ')}`);
    return { flow: name, walks: [chosen] };
  } catch (error) {
    return refuseArguments('demo', sentenceOf(error));
  }
}

/** Only an operator switches SDK options on, so the operator creates a new tenant for the demo. */
async function signIn(app: BuyerApp): Promise<void> {
  if (flow !== 'sdk') return app.signIn('demo', 'demo', 'demo-secret');
  await app.signIn('demo', 'admin', 'admin-secret');
  const name = `sdk-demo-${randomInt(1e9)}`;
  await app.post('/admin/tenants', { name, settings: { sdk_options_enabled: true } });
  const { client_id, client_secret } = await app.post(`/admin/tenants/${name}/clients`, {});
  await app.signIn(name, String(client_id), String(client_secret));
}

/** Plays a buyer app against `baseUrl`. Rejects when an object ends in another state than expected. */
async function playAll(baseUrl: string, transcript: Transcript): Promise<void> {
  const app = new BuyerApp(baseUrl, transcript);
  const webhookHost = process.env['DEMO_WEBHOOK_HOST'] || (await app.webhookHost());
  const hooks = await WebhookEndpoint.open(webhookHost, transcript);
  try {
    transcript.heading(`A buyer app at ${baseUrl}`);
    await signIn(app);
    const investor = await createInvestor(app);
    const webhook = await registerEndpoint(app, hooks.url);
    hooks.verifyWith(String(webhook['secret']));
    try {
      const steps = new PurchaseSteps(app, hooks, investor);
      const stage = { app, hooks, investor, steps, transcript };
      for (const walk of walks) await walk(stage);
    } finally {
      await app.delete(`/v2/notification_webhooks/${String(webhook['id'])}`);
    }
  } finally {
    await hooks.close();
  }
}

const transcript = new Transcript((line) => console.log(line));
try {
  const server = await findServer(process.env['BASE_URL']?.replace(/\/+$/, '') || null);
  await playAll(server.baseUrl, transcript).finally(() => server.stop());
  transcript.heading('All of it ended where it should.');
} catch (error) {
  console.error(`\nThe demo failed: ${sentenceOf(error)}`);
  process.exitCode = 1;
}
