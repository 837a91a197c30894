import './calm-request-queue.ts';
import { Kafka, logLevel, type KafkaConfig } from 'kafkajs';
import { kafkaLog } from './kafka-log.ts';

/** Where the broker is, and how this process speaks to it. */
export interface KafkaConnection {
  /** `host:port`; any of them leads to the others. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** Put before the names of topics and groups, so that installations and tests may share a cluster; ''. */
  readonly prefix?: string;
  readonly ssl?: boolean;
  readonly sasl?: KafkaLogin | null;
  /** After how long a member that was not heard of loses its partitions; 10 000 wall ms. */
  readonly sessionTimeoutMs?: number;
  /** How long the broker holds a fetch that finds nothing, in wall ms; a rebalance and a stop wait for it. 250. */
  readonly maxWaitTimeMs?: number;
}

export interface KafkaLogin {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

const CONNECT_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 5_000;

/**
 * A client of kafkajs. It gives up soon: whoever uses it tries again with a client of its own making, for ever, so that no
 * state of a broken one is left (kafkajs gives up by itself after its own count of tries, and not always aloud).
 */
export function kafkaClient(connection: KafkaConnection, retries: number): Kafka {
  const { brokers, clientId, ssl = false, sasl } = connection;
  return new Kafka({
    brokers: [...brokers],
    clientId,
    ssl,
    ...(sasl ? { sasl: sasl as NonNullable<KafkaConfig['sasl']> } : {}),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retry: { retries, initialRetryTime: 100, maxRetryTime: 1_000 },
    logLevel: logLevel.WARN,
    logCreator: kafkaLog,
  });
}

/** The name of a topic on the wire. */
export function wireTopic({ prefix = '' }: KafkaConnection, topic: string): string {
  return prefix + topic;
}

/** The name of a consumer group on the wire. */
export function wireGroup({ prefix = '' }: KafkaConnection, group: string): string {
  return prefix + group;
}
