import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { setTimeout as pause } from 'node:timers/promises';
import type { OpsServer } from '../health/ops-server.ts';
import { drain } from './http-server.ts';
import type { KitParts } from './kit-parts.ts';

/** How long the rest waits for requests that run. A slower one goes on meanwhile; its group must be left in time all the same. */
const REQUESTS_FIRST_MS = 3_000;

/** What a stop ends. */
export interface Stoppable {
  readonly app: NestFastifyApplication;
  readonly parts: KitParts;
  readonly ops: OpsServer | null;
}

/**
 * Ends a service so that nothing is lost and nobody waits for it. Requests first, because they leave work; then due work and
 * consumers, which leave their group, so that another replica has the partitions at once; then the relay, which sends what
 * all of them wrote; at last the connections. Health is answered to the end.
 */
export async function stopService({ app, parts, ops }: Stoppable): Promise<void> {
  const { config, database, dueWorker, fastify, health, relay, strategy } = parts;
  health.phase = 'stopping';
  await pause(config.DRAIN_DELAY_MS);
  const answered = drain(fastify);
  await Promise.race([answered, pause(REQUESTS_FIRST_MS, undefined, { ref: false })]);
  await Promise.all([dueWorker.stop(), strategy?.close()]);
  await Promise.all([relay?.stop(), app.close()]);
  await answered;
  await parts.close();
  await ops?.close();
  await database.dataSource.destroy();
}
