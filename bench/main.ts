import { Logger } from '@nestjs/common';
import { createPaymentBench } from './create-payment/create-payment.bench.ts';
import { debitsBench } from './debits/debits.bench.ts';
import { degradedBench } from './degraded/degraded.bench.ts';
import { latencyBench } from './latency/latency.bench.ts';
import { limitsBench } from './limits/limits.bench.ts';
import { listsBench } from './lists/lists.bench.ts';
import { relayBench } from './relay/relay.bench.ts';
import { swpBench } from './swp/swp.bench.ts';
import { webhooksBench } from './webhooks/webhooks.bench.ts';

// What kafkajs tells of every request is no part of a report.
Logger.overrideLogger(['warn', 'error']);

/** Every benchmark by its name: `npm run bench -- create-payment`. Each ends with one line of JSON. */
const BENCHES: Readonly<Record<string, () => Promise<object>>> = {
  'create-payment': createPaymentBench,
  relay: relayBench,
  latency: latencyBench,
  limits: limitsBench,
  lists: listsBench,
  debits: debitsBench,
  degraded: degradedBench,
  swp: swpBench,
  webhooks: webhooksBench,
};

const name = process.argv[2] ?? '';
const bench = BENCHES[name];
if (!bench) {
  console.error(`usage: npm run bench -- ${Object.keys(BENCHES).join(' | ')}`);
  process.exit(1);
}
// What was started ends with us, Ctrl-C or not.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    console.error(`ended by ${signal}`);
    process.exit(1);
  });
const result = await bench();
console.log(JSON.stringify({ bench: name, ...result }));
