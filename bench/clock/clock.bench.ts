import { approvedMandate } from '@fundrail/verification/testing/mandate';
import { ok, payableOrder, payablePayment } from '@fundrail/verification/testing/purchase';
import { activePlan } from '@fundrail/verification/testing/plan';
import { Fleet } from '@fundrail/verification/testing/fleet/fleet';
import type { ApiClient } from '@fundrail/verification/testing/api-client';
import {
  newDataDir,
  removeDataDir,
  StandaloneProcess,
} from '@fundrail/verification/testing/standalone-process';
import { startKafka } from '../lib/kafka.ts';
import { hundredths } from '../lib/median.ts';
import { startPostgres } from '../lib/postgres.ts';
import { IS_SMALLEST, size } from '../lib/size.ts';

/** Of each kind: a payment that is not paid, one that is, a debit, and a plan. A hundred objects in all. */
const EACH = size(25, 1);
const ADVANCE = IS_SMALLEST ? 'P2D' : 'P3M';
/** Made beside each other. */
const AT_ONCE = 5;

/**
 * How long the sandbox's clock takes for three months with a hundred live objects: on `npm start`, and on separate processes over Kafka.
 * Its baseline is the same move once nothing is left to do but a plan's months.
 */
export async function clockBench(): Promise<object> {
  const alone = await onStandalone(measure);
  const apart = await onProcesses(measure);
  return {
    objects: 4 * EACH,
    standalone_s: alone.full,
    standalone_again_s: alone.again,
    processes_s: apart.full,
    processes_again_s: apart.again,
  };
}

interface Moves {
  readonly full: number;
  readonly again: number;
}

async function measure(client: ApiClient): Promise<Moves> {
  await makeObjects(client);
  return { full: await moveSeconds(client), again: await moveSeconds(client) };
}

async function moveSeconds(client: ApiClient): Promise<number> {
  const began = performance.now();
  ok(await client.post('/sandbox/clock', { advance: ADVANCE }));
  return hundredths((performance.now() - began) / 1000);
}

async function makeObjects(client: ApiClient): Promise<void> {
  const makers = [unpaid, paid, debit, plan].flatMap((make) => Array.from({ length: EACH }, () => make));
  const lane = async () => {
    for (let make = makers.shift(); make; make = makers.shift()) await make(client);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

async function unpaid(client: ApiClient): Promise<number> {
  return payablePayment(client, [await payableOrder(client)]);
}

/** Its money has still to be transferred, and its units to be allotted. */
async function paid(client: ApiClient): Promise<void> {
  const payment = await unpaid(client);
  ok(await client.post(`/api/pg/simulate/payments/${payment}`, { status: 'SUCCESS' }));
}

async function debit(client: ApiClient): Promise<void> {
  const mandate_id = await approvedMandate(client);
  const { id, oldId } = await payableOrder(client, 2500);
  ok(await client.post('/api/pg/payments/nach', { mandate_id, amc_order_ids: [oldId] }));
  ok(await client.patch('/v2/mf_purchases', { id, state: 'confirmed' }));
}

async function plan(client: ApiClient): Promise<void> {
  await activePlan(client, { amount: 1500, number_of_installments: 12 });
}

async function onStandalone(work: (client: ApiClient) => Promise<Moves>): Promise<Moves> {
  const dataDir = await newDataDir();
  const product = await StandaloneProcess.start({ dataDir });
  const endWithUs = () => void product.kill();
  process.once('exit', endWithUs);
  try {
    return await work(await product.client());
  } finally {
    await product.stop();
    process.off('exit', endWithUs);
    await removeDataDir(dataDir);
  }
}

async function onProcesses(work: (client: ApiClient) => Promise<Moves>): Promise<Moves> {
  await using postgres = await startPostgres();
  await using kafka = await startKafka();
  const fleet = await Fleet.start({ databaseUrl: postgres.url, brokers: kafka.connection.brokers });
  try {
    return await work(await fleet.client());
  } finally {
    await fleet.kill();
  }
}
