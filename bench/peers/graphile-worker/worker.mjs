// A worker as graphile-worker's page on performance sets it up: 24 jobs at the same time from a local queue of 500, whose completions
// are stored together. Two connections more than jobs, as its page on the configuration recommends.
import { makeWorkerUtils, run } from 'graphile-worker';
import { serveJobs } from '../serve-jobs.mjs';

const JOBS = 24;
const { DATABASE_URL, GENERATE } = process.env;

const preset = {
  worker: {
    connectionString: DATABASE_URL,
    concurrentJobs: JOBS,
    maxPoolSize: JOBS + 2,
    localQueue: { size: 500 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
  },
};
const utils = await makeWorkerUtils({ preset });
await utils.migrate();
await run({
  preset,
  taskList: {
    // Prepared once a connection.
    generate: ({ plan }, { withPgClient }) =>
      withPgClient((client) =>
        client.query({ name: 'generate', text: GENERATE, values: [new Date(), [plan], null] }),
      ),
  },
});
serveJobs((ids, dueAt) =>
  utils.addJobs(ids.map((plan) => ({ identifier: 'generate', payload: { plan }, runAt: new Date(dueAt) }))),
);
