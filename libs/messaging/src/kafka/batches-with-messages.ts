import { createRequire } from 'node:module';

/** The internals of kafkajs that are changed here: what a fetch has brought of one partition. */
interface FetchedBatch {
  isEmpty: () => boolean;
  /** Whether it brought messages, but none for consumers: its offset moves on. */
  isEmptyDueToFiltering: () => boolean;
}

interface ConsumerGroup {
  fetch: (this: ConsumerGroup, nodeId: number) => Promise<FetchedBatch[]>;
}

const require = createRequire(import.meta.url);
const { prototype } = require('kafkajs/src/consumer/consumerGroup.js') as {
  readonly prototype: ConsumerGroup;
};
const fetch = prototype.fetch;

/**
 * kafkajs 2.2.4 gives its workers a batch for each partition that it has asked about, a hundred of them for one event, and does nothing
 * with an empty one but look whether a heartbeat is due. The others look too, and so does a fetch without any.
 */
prototype.fetch = async function (nodeId): Promise<FetchedBatch[]> {
  const batches = await fetch.call(this, nodeId);
  return batches.filter((batch) => !batch.isEmpty() || batch.isEmptyDueToFiltering());
};
