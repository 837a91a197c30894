import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Environment } from '../config/environment.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { ServiceDefinition } from '../db/service-definition.ts';
import type { DueWorker } from '../due/due-worker.ts';
import type { ServiceTransport } from '../http/client/service-transport.ts';

/** What a service runs on. Everything has a default: `process.env`, no bus, HTTP to the neighbours, listening, wall clock. */
export interface Runtime {
  readonly env: Environment;
  readonly transport: ServiceTransport | null;
  readonly listen: boolean;
  readonly clock: Clock;
}

/** A service that serves. `url` is where it listens, null when it does not. */
export interface RunningService {
  readonly app: NestFastifyApplication;
  readonly fastify: FastifyInstance;
  readonly database: Database;
  readonly dueWorker: DueWorker;
  readonly url: string | null;
  /** Takes no more requests, finishes what runs, closes everything. */
  stop(): Promise<void>;
}

/** Starts a service. `main.ts` is a call of this. */
export function bootstrap(definition: ServiceDefinition, runtime: Partial<Runtime> = {}): Promise<RunningService> {
  return Promise.reject(new Error(`not built yet: ${definition.name} ${Object.keys(runtime).join()}`));
}
