import { Logger, type LoggerService } from '@nestjs/common';
import type { Log, LogFields } from './log.ts';

/**
 * The lines of Nest and of the libraries that log through it (messaging: `{ msg, ...fields, err }`). Nest's lines about its
 * start have level debug.
 */
export class NestLog implements LoggerService {
  constructor(private readonly out: Log) {}

  log(message: unknown, context?: unknown): void {
    this.write('debug', message, { context });
  }

  warn(message: unknown, context?: unknown): void {
    this.write('warn', message, { context });
  }

  error(message: unknown, stack?: unknown, context?: unknown): void {
    this.write('error', message, { stack, context });
  }

  fatal(message: unknown, context?: unknown): void {
    this.write('error', message, { context });
  }

  private write(level: 'debug' | 'warn' | 'error', message: unknown, fields: LogFields): void {
    const { fact, err, ...rest } = factIn(message);
    if (level === 'error') this.out.error(fact, err, { ...fields, ...rest });
    else this.out[level](fact, { ...fields, ...rest, ...(err === undefined ? {} : { err }) });
  }
}

/** Makes Nest's own `Logger` write to `out`, for commands without a Nest application. */
export function logLibrariesTo(out: Log): void {
  Logger.overrideLogger(new NestLog(out));
}

function factIn(message: unknown): { fact: string; err?: unknown; [field: string]: unknown } {
  if (message instanceof Error) return { fact: message.message, err: message };
  if (typeof message !== 'object' || message === null) return { fact: String(message) };
  const { msg, ...fields } = message as { msg?: unknown };
  return { ...fields, fact: typeof msg === 'string' ? msg : 'a line without a fact' };
}
