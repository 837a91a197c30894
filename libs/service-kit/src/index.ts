export { bootstrap, type RunningService, type Runtime } from './bootstrap/bootstrap.ts';
export { BadEnvironment, configProvider, ENVIRONMENT, parseEnvironment, type Environment } from './config/environment.ts';
export { Clock } from './db/clock.ts';
export type { MigrationClass, ServiceDefinition } from './db/service-definition.ts';
export { Log, type LogFields } from './logging/log.ts';
export { DueWorker } from './due/due-worker.ts';
