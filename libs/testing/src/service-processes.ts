import { bootstrap, Log, type RunningService, type Runtime } from '@fundrail/service-kit';
import type { ServiceDefinition } from '@fundrail/service-kit/db';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** A migrated database of a service, and the processes that a test starts on it. */
export class ServiceProcesses {
  private readonly started: RunningService[] = [];

  private constructor(
    private readonly definition: ServiceDefinition,
    readonly database: TestDatabase,
    private readonly isOwn: boolean,
  ) {}

  /** On a new database, which `end` drops, or beside the processes that have this one. */
  static async on(definition: ServiceDefinition, shared?: TestDatabase): Promise<ServiceProcesses> {
    if (shared) return new ServiceProcesses(definition, shared, false);
    return new ServiceProcesses(definition, await createTestDatabase(definition), true);
  }

  /** A process of the sandbox, by default silent and without a port; `env` adds to its variables. */
  async start(runtime: Partial<Runtime> = {}): Promise<RunningService> {
    const { name } = this.definition;
    const variables = { SANDBOX: 'true', [`${name.toUpperCase()}_DATABASE_URL`]: this.database.url };
    const around = { listen: false, log: Log.to(name, 'silent'), ...runtime };
    const service = await bootstrap(this.definition, { ...around, env: { ...variables, ...runtime.env } });
    this.started.push(service);
    return service;
  }

  /** Stops what still runs. */
  async end(): Promise<void> {
    await Promise.all(this.started.map((service) => service.stop()));
    if (this.isOwn) await this.database.drop();
  }
}
