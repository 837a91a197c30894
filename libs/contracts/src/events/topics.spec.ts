import { EVENT_TYPES } from './catalogue.ts';
import { TOPICS } from './topics.ts';

describe('the topics', () => {
  it('carry every event type of the catalogue once (EVT-1)', () => {
    expect(TOPICS.flatMap(({ types }) => types).toSorted()).toEqual([...EVENT_TYPES].toSorted());
  });

  it.each(TOPICS)('$name carries its own kind and is kept for a week in 12 partitions', (topic) => {
    expect(topic.types.filter((type) => !type.startsWith(`${topic.name}.`))).toEqual([]);
    expect(topic).toMatchObject({ partitions: 12, retentionMs: 604_800_000 });
  });
});
