// A worker as pg-boss' pages on workers and the constructor recommend it for a backlog: batches, fetched without a pause while they are
// full, and the handler's rows committed with the completion of their jobs.
import { PgBoss } from 'pg-boss';
import { serveJobs } from '../serve-jobs.mjs';

const QUEUE = 'installments';
const { DATABASE_URL, GENERATE, BATCH } = process.env;

const boss = new PgBoss({ connectionString: DATABASE_URL });
boss.on('error', (error) => console.error(error));
await boss.start();
await boss.createQueue(QUEUE);
const options = {
  batchSize: Number(BATCH),
  burstWhenBatchFull: true,
  transactional: true,
  pollingIntervalSeconds: 0.5,
};
await boss.work(QUEUE, options, async (jobs, tx) => {
  await tx.executeSql(GENERATE, [new Date(), jobs.map(({ data }) => data.plan), null]);
});
serveJobs((ids, startAfter) =>
  boss.insert(
    QUEUE,
    ids.map((plan) => ({ data: { plan }, startAfter })),
  ),
);
