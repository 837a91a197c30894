import { jest } from '@jest/globals';
import { createRequire } from 'node:module';

interface Batch {
  readonly name: string;
  readonly isEmpty: () => boolean;
  readonly isEmptyDueToFiltering: () => boolean;
}

const require = createRequire(import.meta.url);
const { prototype } = require('kafkajs/src/consumer/consumerGroup.js') as {
  readonly prototype: { fetch: (nodeId: number) => Promise<Batch[]> };
};

describe('a fetch of kafkajs', () => {
  // Suites of a worker share the package: the next would fetch these batches.
  afterEach(() => jest.restoreAllMocks());

  it('hands over the batches that brought messages, and those whose offset moves on without any', async () => {
    const batch = (name: string, isEmpty: boolean, isFiltered: boolean): Batch => ({
      ...{ name, isEmpty: () => isEmpty, isEmptyDueToFiltering: () => isFiltered },
    });
    const fetched = [batch('full', false, false), batch('none', true, false), batch('filtered', true, true)];
    jest.spyOn(prototype, 'fetch').mockResolvedValue(fetched);
    await import('./batches-with-messages.ts');
    expect((await prototype.fetch(1)).map(({ name }) => name)).toEqual(['full', 'filtered']);
  });
});
