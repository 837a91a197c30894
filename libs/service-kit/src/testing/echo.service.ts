import { sql } from '@fundrail/persistence';
import { stringifyJson } from '@fundrail/contracts';
import { appendEvents, OnEvent, type EventContext, type ReceivedEvent } from '@fundrail/messaging';
import { Controller, Module } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Database, serviceKitMigrations, type ServiceDefinition } from '../db.ts';
import { HandlesDue, scheduleDue, type DueResult, type DueWork } from '../due.ts';

class EchoTables1700000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE voices (id text PRIMARY KEY, said int NOT NULL)');
    await runner.query('CREATE TABLE received (place bigserial, voice text NOT NULL, sequence int NOT NULL)');
    await runner.query('CREATE TABLE worked (key text NOT NULL)');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('cannot be reverted'));
  }
}

const count = sql(
  'voices.count',
  'INSERT INTO voices (id, said) VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET said = voices.said + 1 RETURNING said',
);
const receive = sql('received.insert', 'INSERT INTO received (voice, sequence) VALUES ($1, $2)');
const work = sql('worked.insert', 'INSERT INTO worked (key) VALUES ($1)');

/** Emits the next event of a voice, after locking its row. */
export function say(database: Database, voice: string): Promise<void> {
  return database.transaction(async (tx) => {
    const [row] = await tx.query<{ said: number }>(count, [voice]);
    const sequence = row?.said ?? 0;
    const object = { object: 'notification_webhook', id: voice, url: 'https://x.example', status: 'enabled' };
    const event = {
      id: `evt_${voice}_${sequence}`,
      type: 'notification_webhook.test' as const,
      version: 1,
      tenant: 'demo',
      aggregate_id: voice,
      sequence,
      occurred_at: tx.now,
      data: stringifyJson({ object, previous_attributes: null }),
      traceparent: null,
    };
    await appendEvents(tx, [event]);
  });
}

/** Schedules work that writes a row to `worked` each time it runs. */
export function workLater(database: Database, key: string): Promise<void> {
  return database.transaction((tx) =>
    scheduleDue(tx, { kind: 'echo.work', key, tenant: 'demo', due_at: tx.now }),
  );
}

@Controller()
class EchoConsumer {
  constructor(private readonly database: Database) {}

  @OnEvent('notification_webhook.test')
  async onTest(
    @Payload() event: ReceivedEvent<'notification_webhook.test'>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    await tx.query(receive, [event.aggregate_id, event.sequence]);
  }

  @HandlesDue('echo.work')
  async onWork({ key }: DueWork): Promise<DueResult> {
    await this.database.query(work, [key]);
    return 'done';
  }
}

@Module({ controllers: [EchoConsumer] })
class EchoModule {}

/** A service that consumes its own events: the smallest one with relay, consumers and due work. */
export const echoService: ServiceDefinition = {
  name: 'orders',
  module: EchoModule,
  config: null,
  migrations: [...serviceKitMigrations, EchoTables1700000000100],
  tables: [],
};
