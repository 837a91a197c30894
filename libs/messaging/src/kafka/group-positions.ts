import { wireGroup, wireTopic, type KafkaConnection } from './kafka-connection.ts';
import type { AdminConnection } from './admin-connection.ts';

/** The position of a group in a partition. */
interface GroupPosition {
  /** On the wire. */
  readonly topic: string;
  readonly partition: number;
  /** The offset of the first event that is not committed. */
  readonly position: number;
  /** The offset that the next published event will get. */
  readonly end: number;
}

/**
 * Requests the positions of a group in the partitions of these topics. Without a commit the position is the start of the
 * partition. If the log has lost its end (a broker without replicas lost power), it is the new end, where the next event goes.
 */
export async function groupPositions(
  connection: KafkaConnection,
  admin: AdminConnection,
  group: string,
  topics: readonly string[],
): Promise<GroupPosition[]> {
  const names = topics.map((topic) => wireTopic(connection, topic));
  const { committed, ends } = await admin.ask(async (broker) => ({
    // First the group, then the log's end: an event consumed in between counts as unconsumed, never the reverse.
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
