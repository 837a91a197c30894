import type { Queryable } from '@fundrail/persistence';
import { discardParked, listParked, replayParked, type ParkedEvent } from '@fundrail/messaging';
import type { Environment } from '../config/environment.ts';
import { databaseUrlFor } from '../db/migrate.ts';
import { withPlainConnection } from '../db/open-database.ts';
import type { ServiceDefinition } from '../db/service-definition.ts';
import type { CommandEnd } from './migrate-command.ts';

const USAGE = 'usage: main.js events parked | replay all | replay EVENT_ID… | discard EVENT_ID…';

type Work = (db: Queryable) => Promise<CommandEnd>;

/**
 * `main.js events …`: lists this service's parked events, one on each line, has the running replicas run them again, or gives them
 * up. It finds the database by the same variables as the service. Ends with 1 when a named event cannot be replayed or given up.
 * Rejects when the database does not answer.
 */
export async function eventsCommand(
  { name }: Pick<ServiceDefinition, 'name'>,
  args: readonly string[],
  env: Environment,
): Promise<CommandEnd> {
  const work = toWork(name, args);
  if (!work) return { code: 2, line: USAGE };
  return withPlainConnection(databaseUrlFor(name, env), work);
}

function toWork(service: string, [command, ...ids]: readonly string[]): Work | null {
  if (command === 'parked' && ids.length === 0) return (db) => listed(db, service);
  if (ids.length === 0) return null;
  if (command === 'replay') return (db) => replayed(db, service, ids);
  return command === 'discard' ? (db) => discarded(db, service, ids) : null;
}

async function listed(db: Queryable, service: string): Promise<CommandEnd> {
  const lines = (await listParked(db)).map((event) => describe(service, event));
  return { code: 0, line: lines.length > 0 ? lines.join('\n') : `${service}  nothing is parked` };
}

function describe(service: string, event: ParkedEvent): string {
  const { event_id, type, aggregate_id, sequence, status, tries, error } = event;
  const place = `${aggregate_id}#${sequence}`;
  return [service, event_id, type, place, status, `${tries} tries`, error ?? ''].join('  ');
}

async function replayed(db: Queryable, service: string, ids: readonly string[]): Promise<CommandEnd> {
  const all = ids[0] === 'all';
  const count = await replayParked(db, all ? 'all' : ids);
  return { code: all || count > 0 ? 0 : 1, line: `${count} events of ${service} will run again` };
}

async function discarded(db: Queryable, service: string, ids: readonly string[]): Promise<CommandEnd> {
  const count = await discardParked(db, ids);
  const line = `${count} of ${ids.length} events of ${service} are given up; only failed ones can be`;
  return { code: count === ids.length ? 0 : 1, line };
}
