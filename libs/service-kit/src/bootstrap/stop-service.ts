import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { setTimeout as pause } from 'node:timers/promises';
import type { OpsServer } from '../health/ops-server.ts';
import { drain } from './http-server.ts';
import type { KitParts } from './kit-parts.ts';

/** How long the stop waits for running requests before it continues. A slower request still ends; but the groups must be left in time. */
const REQUESTS_FIRST_MS = 3_000;

/** What a stop ends. */
interface Stoppable {
  readonly app: NestFastifyApplication;
  readonly parts: KitParts;
  readonly ops: OpsServer | null;
}

/**
 * Stops a service so that nothing is lost and no client waits. Requests first, because they leave work; then due work and
 * consumers, which leave their group, so that another replica takes the partitions at once; then the relay, which sends the
 * events that all of them wrote; at last the connections. Health is answered until the end.
 */
export async function stopService({ app, parts, ops }: Stoppable): Promise<void> {
  const { config, database, doorkeeper, dueWorker, fastify, health, relay, strategy } = parts;
  health.phase = 'stopping';
  await pause(config.DRAIN_DELAY_MS);
  const answered = drain(fastify);
  await Promise.race([answered, pause(REQUESTS_FIRST_MS, undefined, { ref: false })]);
  await Promise.all([dueWorker.stop(), strategy?.close(), doorkeeper.end()]);
  await Promise.all([relay?.stop(), app.close()]);
  await answered;
  await parts.close();
  await ops?.close();
  await database.dataSource.destroy();
}
