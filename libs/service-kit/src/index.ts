export { bootstrap, type RunningService, type Runtime } from './bootstrap/bootstrap.ts';
export { eventsCommand } from './bootstrap/events-command.ts';
export { keysCommand } from './bootstrap/keys-command.ts';
export { isReconcileUsage, reconcileCommand, restoredCommand } from './bootstrap/reconcile-command.ts';
export { runService } from './bootstrap/run-service.ts';
export { webhooksSection } from './bootstrap/webhooks-section.ts';
export { checkEnvironment } from './config/check-environment.ts';
export {
  BadEnvironment,
  configProvider,
  ENVIRONMENT,
  parseEnvironment,
  type ConfigProvider,
  type Environment,
} from './config/environment.ts';
export { readKafkaConfig, type KafkaConfig } from './config/kafka-config.ts';
export { withPresentNames } from './config/renamed-variables.ts';
export { isSandbox, SANDBOX_SECRETS } from './config/sandbox-secrets.ts';
export { networksVariable } from './config/networks-variable.ts';
export { databaseErrorOf, listenErrorOf, redacted } from './config/start-errors.ts';
export {
  baseUrlVariable,
  integerVariable,
  isVaried,
  numberVariable,
  urlVariable,
  wholeNumber,
} from './config/variables.ts';
export { Clock } from './db/clock.ts';
export type { MigrationClass, ServiceDefinition } from './db/service-definition.ts';
export { encryptedColumnsOf, type EncryptedColumn } from './keys/encrypted-column.ts';
export type { PersonalTable } from './personal-data/personal-table.ts';
export { HashingSecret } from './hashing/hashing-secret.ts';
export { DueWorker } from './due/due-worker.ts';
export { answerMetrics } from './health/ops-server.ts';
export type { GaugeDefinition, Sample } from './metrics/lookups.ts';
export { ProviderCalls } from './metrics/provider-calls.ts';
export { ServiceMetrics } from './metrics/service-metrics.ts';
export { processMetrics } from './metrics/process-metrics.ts';
export { Log, type LogFields, type LogLevel } from './logging/log.ts';
export { logLibrariesTo } from './logging/nest-log.ts';
export { BUS_IS_EMPTY, quietAnswer } from './sandbox/sandbox.controller.ts';
