import { createTopics, missingTopics } from '@fundrail/messaging';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../config/environment.ts';
import { readKafkaConfig, type KafkaConfig } from '../config/kafka-config.ts';
import { databaseUrlFor, migrate } from '../db/migrate.ts';
import { missingMigrations } from '../db/missing-migrations.ts';
import type { ServiceDefinition } from '../db/service-definition.ts';

const USAGE = 'usage: main.js migrate [--check [--wait[=SECONDS]]]';
/** After this an init container is better restarted, because restarts are visible to operators. */
const WAIT_S = 120;
const CHECK_EVERY_MS = 500;

type Migratable = Pick<ServiceDefinition, 'name' | 'migrations'>;

/** What a service needs before it may start. */
interface Needs {
  readonly definition: Migratable;
  readonly databaseUrl: string;
  readonly kafka: KafkaConfig | null;
}

/** How a command ended: 0 in order, 1 not in order, 2 the command was not understood; and one line that explains it. */
export interface CommandEnd {
  readonly code: 0 | 1 | 2;
  readonly line: string;
}

/**
 * `main.js migrate`: brings the database to this build's version, then creates the topics where Kafka is the bus. With `--check`
 * it only checks whether both are there, and with `--wait` it checks until they are. Rejects with `BadEnvironment`.
 */
export async function migrateCommand(
  definition: Migratable,
  args: readonly string[],
  env: Environment,
): Promise<CommandEnd> {
  const options = parseArguments(args);
  if (!options) return { code: 2, line: USAGE };
  const needs = {
    definition,
    databaseUrl: databaseUrlFor(definition.name, env),
    kafka: readKafkaConfig(definition.name, env),
  };
  return options.isCheck ? check(needs, options.waitMs) : run(needs);
}

function parseArguments(args: readonly string[]): { isCheck: boolean; waitMs: number } | null {
  const [check, wait, ...rest] = args;
  if (check === undefined) return { isCheck: false, waitMs: 0 };
  if (check !== '--check' || rest.length > 0) return null;
  if (wait === undefined) return { isCheck: true, waitMs: 0 };
  const seconds = /^--wait(?:=(\d{1,5}))?$/.exec(wait);
  return seconds && { isCheck: true, waitMs: Number(seconds[1] ?? WAIT_S) * 1000 };
}

async function run({ definition, databaseUrl, kafka }: Needs): Promise<CommandEnd> {
  await migrate(definition, databaseUrl);
  if (kafka) await createTopics(kafka, { replicationFactor: kafka.replicationFactor });
  return { code: 0, line: `fundrail ${definition.name} is migrated` };
}

async function check(needs: Needs, waitMs: number): Promise<CommandEnd> {
  const { name } = needs.definition;
  const end = Date.now() + waitMs;
  for (;;) {
    const lack = await whatLacks(needs);
    if (lack === null) return { code: 0, line: `fundrail ${name} is migrated` };
    if (Date.now() >= end) return { code: 1, line: `fundrail ${name} is not migrated: ${lack}` };
    await pause(CHECK_EVERY_MS);
  }
}

/** What prevents a start, in words; null when nothing does. */
async function whatLacks({ definition, databaseUrl, kafka }: Needs): Promise<string | null> {
  try {
    const migrations = await missingMigrations(definition, databaseUrl);
    if (migrations.length > 0) return `${migrations.join(', ')} did not run yet`;
  } catch (error) {
    return `the database does not answer: ${messageOf(error)}`;
  }
  if (!kafka) return null;
  try {
    const topics = await missingTopics(kafka);
    return topics.length > 0 ? `the topics ${topics.join(', ')} are not there yet` : null;
  } catch (error) {
    return `Kafka does not answer: ${messageOf(error)}`;
  }
}

/** When every address of a host name refuses, Node throws an AggregateError without a message. */
function messageOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}
