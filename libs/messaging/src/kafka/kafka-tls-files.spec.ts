import { Logger } from '@nestjs/common';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aggregateId, noticeEnvelope } from '../testing/notices.ts';
import { AdminConnection } from './admin-connection.ts';
import type { BrokerWatch } from './broker-watch.ts';
import { isFatal } from './fatal-error.ts';
import { kafkaClient, type KafkaConnection } from './kafka-connection.ts';
import { KafkaGroup } from './kafka-group.ts';
import { KafkaPublisher } from './kafka-publisher.ts';

const UNUSABLE = 'the files of KAFKA_SSL_…_FILE cannot be used';

describe('a renewal that deletes the files of TLS and writes them again', () => {
  let folder: string;
  let connection: KafkaConnection & { ssl: { ca: string; cert: null; key: null } };
  beforeEach(() => {
    Logger.overrideLogger(false);
    folder = mkdtempSync(join(tmpdir(), 'tls-'));
    const ssl = { ca: join(folder, 'ca.pem'), cert: null, key: null };
    // Port 9 (discard): nothing listens there.
    connection = { brokers: ['127.0.0.1:9'], clientId: 'test', ssl };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const errorOf = (run: () => unknown): Error => {
    try {
      run();
    } catch (error) {
      if (error instanceof Error) return error;
    }
    throw new Error('no error was thrown');
  };

  it('reports each event as not published, and uses the files when they exist again', async () => {
    // given
    const failures: string[] = [];
    const publisher = new KafkaPublisher(connection, 100, () => failures.push('failed'));
    const publish = async () => {
      const [outcome] = await Promise.all(publisher.publish([noticeEnvelope(aggregateId(), 1)]));
      return outcome?.published === false ? outcome.error.message : 'published';
    };
    // when, then
    expect(await publish()).toContain(UNUSABLE);
    expect(await publish()).toContain(UNUSABLE);
    writeFileSync(connection.ssl.ca, '');
    expect(await publish()).not.toContain(UNUSABLE);
    expect(failures).toHaveLength(3);
    await publisher.close();
  });

  it('crashes only the consumer, which starts again, and not the process', async () => {
    // given
    const suspected = Promise.withResolvers<undefined>();
    const watch = { upSince: null, suspect: () => suspected.resolve(undefined) };
    const subscription = {
      group: 'orders',
      topics: [],
      deliver: () => Promise.resolve(),
      refuse: () => Promise.resolve(),
      busySince: () => null,
    };
    // when
    const group = new KafkaGroup({
      ...{
        connection,
        subscription,
        watch: watch as Pick<BrokerWatch, 'upSince' | 'suspect'> as BrokerWatch,
      },
      admin: new AdminConnection(connection),
      ...{ windowSize: 1, commitEveryMs: 100, stuckAfterMs: 60_000, longestTransactionMs: 60_000 },
    });
    await suspected.promise;
    // then
    expect([group.isJoined, group.trouble()]).toEqual([false, null]);
    await group.stop();
  });

  it('is not a reason for a restart, even when it happens often', () => {
    expect(isFatal(errorOf(() => kafkaClient(connection, 0)))).toBe(false);
    const cert = join(folder, 'cert.pem');
    writeFileSync(cert, '-----BEGIN CERTIFICATE-----\nhalf a certif');
    const half = { ...connection, ssl: { ca: null, cert, key: cert } };
    expect(isFatal(errorOf(() => kafkaClient(half, 0)))).toBe(false);
  });
});
