import type { Logger as Pino } from 'pino';

/** What a line says besides its fact. No personal data (wrap it in `Masked`). */
export type LogFields = Readonly<Record<string, unknown>>;

/** The service's log: one JSON line a fact. Inject it; the fact is a fixed phrase, what varies goes into the fields. */
export class Log {
  constructor(private readonly pino: Pino) {}

  debug(fact: string, fields: LogFields = {}): void {
    this.pino.debug(fields, fact);
  }

  info(fact: string, fields: LogFields = {}): void {
    this.pino.info(fields, fact);
  }

  warn(fact: string, fields: LogFields = {}): void {
    this.pino.warn(fields, fact);
  }

  error(fact: string, error: unknown, fields: LogFields = {}): void {
    this.pino.error({ ...fields, err: error }, fact);
  }
}
