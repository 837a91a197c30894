/**
 * Common settings of the brokers for tests and development: one node, small, quick to form groups. Only `migrate` creates topics,
 * as in production, so that a misspelt name is an error.
 */
export const BROKER_SETTINGS: Readonly<Record<string, string>> = {
  'auto.create.topics.enable': 'false',
  'offsets.topic.num.partitions': '4',
  'offsets.topic.replication.factor': '1',
  'transaction.state.log.num.partitions': '4',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'share.coordinator.state.topic.num.partitions': '4',
  'share.coordinator.state.topic.replication.factor': '1',
  'share.coordinator.state.topic.min.isr': '1',
  // The default, 3 s, is for replicas that start one after the other.
  'group.initial.rebalance.delay.ms': '0',
  // After a kill the broker can rejoin only when its former session has expired: 9 s, with heartbeats every 2 s, by default.
  'broker.session.timeout.ms': '5000',
  'broker.heartbeat.interval.ms': '500',
  // Every suite creates its own topics, so a partition must be cheap.
  'log.segment.bytes': String(16 * 1024 * 1024),
  'log.index.size.max.bytes': String(1024 * 1024),
  'log.cleaner.dedupe.buffer.size': String(16 * 1024 * 1024),
};

/** The same settings as the variables of the image `apache/kafka`: `log.segment.bytes` is `KAFKA_LOG_SEGMENT_BYTES`. */
export function asEnvironment(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `KAFKA_${name.toUpperCase().replaceAll('.', '_')}`,
      value,
    ]),
  );
}

/** `server.properties` of a broker on 127.0.0.1:`port`; its controller listens on the next port. */
export function serverProperties(port: number, dataDirectory: string): string {
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${port + 1}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${port + 1}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': dataDirectory,
    ...BROKER_SETTINGS,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
