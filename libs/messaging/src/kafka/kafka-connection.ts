import './calm-request-queue.ts';
import './batches-with-messages.ts';
import { Kafka, logLevel, type KafkaConfig } from 'kafkajs';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { kafkaLog } from './kafka-log.ts';
import { readToken, type KafkaTokenSource } from './kafka-token.ts';

/** The broker's address and this process's connection settings. */
export interface KafkaConnection {
  /** `host:port`; the others are found through any of them. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** A prefix of topic and group names, so that installations and tests can share a cluster; ''. */
  readonly prefix?: string;
  /** TLS with Node's root certificates, or with these files. */
  readonly ssl?: boolean | KafkaTlsFiles;
  readonly sasl?: KafkaLogin | null;
  /** A member that sends no heartbeat for this long loses its partitions; 10 000 wall ms. */
  readonly sessionTimeoutMs?: number;
  /** How long the broker holds an empty fetch, in wall ms; a rebalance and a stop wait for it. 250. */
  readonly maxWaitTimeMs?: number;
}

/** How this process authenticates to the broker. */
export type KafkaLogin =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
      readonly username: string;
      readonly password: string;
    }
  | { readonly mechanism: 'oauthbearer'; readonly token: KafkaTokenSource };

/** PEM files, read again for each client, so that the next client uses a renewed certificate. Null: none. */
export interface KafkaTlsFiles {
  /** The authorities accepted for the broker's certificate; null: Node's own list. */
  readonly ca: string | null;
  /** The client certificate of this process, and its key; both or neither. */
  readonly cert: string | null;
  readonly key: string | null;
}

const LONGEST_HEARTBEAT_MS = 3_000;
const CONNECT_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 5_000;

/** The TLS files cannot be used now. The next client reads them again: a renewal may be running. */
class UnusableTlsFiles extends Error {
  /** kafkajs's mark of an error that may pass. */
  readonly retriable = true;
}

/**
 * A client of kafkajs that gives up soon. Its user retries with a new client, without limit, so that no state of a broken client
 * remains (kafkajs gives up after its own number of tries, sometimes silently). Throws when the TLS files cannot be used; the
 * next call reads them again.
 */
export function kafkaClient(connection: KafkaConnection, retries: number): Kafka {
  const { brokers, clientId, ssl = false, sasl } = connection;
  return new Kafka({
    brokers: [...brokers],
    clientId,
    ssl: typeof ssl === 'boolean' ? ssl : tlsOf(ssl),
    ...(sasl ? { sasl: saslOf(sasl) } : {}),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retry: { retries, initialRetryTime: 100, maxRetryTime: 1_000 },
    logLevel: logLevel.WARN,
    logCreator: kafkaLog,
  });
}

function tlsOf({ ca, cert, key }: KafkaTlsFiles): NonNullable<KafkaConfig['ssl']> {
  try {
    const options = {
      ...(ca === null ? {} : { ca: [readFileSync(ca, 'utf8')] }),
      ...(cert === null || key === null
        ? {}
        : { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }),
    };
    // Finds a half-written file, or a key of another certificate, before any connection.
    createSecureContext(options);
    return options;
  } catch (error) {
    const { code = 'no code' } = error as NodeJS.ErrnoException;
    throw new UnusableTlsFiles(`the files of KAFKA_SSL_…_FILE cannot be used: ${code}`, { cause: error });
  }
}

function saslOf(login: KafkaLogin): NonNullable<KafkaConfig['sasl']> {
  if (login.mechanism !== 'oauthbearer')
    return login as Extract<NonNullable<KafkaConfig['sasl']>, { username: string }>;
  // kafkajs requests it at each connection, and again before the broker's session ends.
  return {
    mechanism: 'oauthbearer',
    oauthBearerProvider: async () => ({ value: await readToken(login.token) }),
  };
}

/** Wall milliseconds between the heartbeats of a member. By the next one it learns of a rebalance, which so is short in a long session too. */
export function heartbeatMs(sessionTimeoutMs: number): number {
  return Math.min(Math.floor(sessionTimeoutMs / 4), LONGEST_HEARTBEAT_MS);
}

/** The name of a topic on the wire. */
export function wireTopic({ prefix = '' }: KafkaConnection, topic: string): string {
  return prefix + topic;
}

/** The name of a consumer group on the wire. */
export function wireGroup({ prefix = '' }: KafkaConnection, group: string): string {
  return prefix + group;
}
