import type { ServiceName } from '@fundrail/contracts';
import { codeOf } from '../db/database-errors.ts';
import { isLateConnection } from '../db/first-connection.ts';
import { databaseUrlFor } from '../db/migrate.ts';
import { BadEnvironment, type Environment } from './environment.ts';

/** Codes of Node and PostgreSQL for a failed connection, and what each means. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host does not exist',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'it did not answer in time',
  ECONNRESET: 'it closed the connection',
  '28P01': 'it refuses the user or the password',
  '28000': 'it refuses the user',
  '3D000': 'the database does not exist',
  '57P03': 'it does not take connections yet',
};

/**
 * Replaces an error of the database driver with one that names the variable, its value without the password, and the reason. Any
 * other error is returned unchanged.
 */
export function databaseErrorOf(name: ServiceName, env: Environment, error: unknown): unknown {
  const reason = reasonOf(error);
  if (reason === null) return error;
  const own = `${name.toUpperCase()}_DATABASE_URL`;
  const variable = env[own] ? own : 'DATABASE_URL';
  const message = `${variable} ${redacted(databaseUrlFor(name, env))} cannot be reached: ${reason}; it must be the URL of a running PostgreSQL server`;
  return new BadEnvironment(message, { cause: error });
}

/** The address without its secrets. */
export function redacted(text: string): string {
  const url = URL.parse(text);
  if (!url) return '(not a URL)';
  if (url.password !== '') url.password = '***';
  url.search = '';
  return url.href;
}

/** Replaces the error of a server that could not listen with one that names the variable; returns any other error unchanged. */
export function listenErrorOf(
  error: unknown,
  where: { readonly host: string; readonly port: number; readonly variable: string },
): unknown {
  const { host, port, variable } = where;
  const code = codeOf(error);
  if (code === 'EADDRINUSE')
    return new BadEnvironment(`${variable} ${port} is in use on ${host}: it must be a free port`, {
      cause: error,
    });
  if (code === 'EACCES')
    return new BadEnvironment(
      `${variable} ${port} may not be used by this user: it must be a port of 1024 or more`,
      { cause: error },
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new BadEnvironment(
      `HOST ${host} is not an address of this machine: it must be one, or 0.0.0.0 for all`,
      { cause: error },
    );
  return error;
}

function reasonOf(error: unknown): string | null {
  // Node tries each address of a host name, and collects the error of each.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).find((one) => one !== null) ?? null;
  if (!(error instanceof Error)) return null;
  if (isLateConnection(error)) return REASONS['ETIMEDOUT'] ?? null;
  return REASONS[codeOf(error) ?? ''] ?? null;
}
