import { wireGroup, wireTopic, type KafkaConnection } from './kafka-connection.ts';
import type { AdminConnection } from './admin-connection.ts';

/** Where a group stands in a partition. */
export interface GroupPosition {
  /** On the wire. */
  readonly topic: string;
  readonly partition: number;
  /** The offset of the first event that is not committed. */
  readonly position: number;
  /** The offset that the next published event will get. */
  readonly end: number;
}

/**
 * Asks where a group stands in the partitions of these topics. One that it has never committed is taken from its start; one
 * whose log has lost its end (a broker without copies that lost power) from the new end: what is published next comes there.
 */
export async function groupPositions(
  connection: KafkaConnection,
  admin: AdminConnection,
  group: string,
  topics: readonly string[],
): Promise<GroupPosition[]> {
  const names = topics.map((topic) => wireTopic(connection, topic));
  const { committed, ends } = await admin.ask(async (broker) => ({
    // First the group, then the log's end: an event that is consumed in between counts as unconsumed, never the reverse.
    committed: await broker.fetchOffsets({ groupId: wireGroup(connection, group), topics: names }),
    ends: await Promise.all(names.map((topic) => broker.fetchTopicOffsets(topic))),
  }));
  return names.flatMap((topic, index) => {
    const own = committed.find((answer) => answer.topic === topic)?.partitions ?? [];
    return (ends[index] ?? []).map(({ partition, low, high }) => {
      const offset = Number(own.find((answer) => answer.partition === partition)?.offset ?? -1);
      const end = Number(high);
      return { topic, partition, position: Math.min(Math.max(offset, Number(low)), end), end };
    });
  });
}
