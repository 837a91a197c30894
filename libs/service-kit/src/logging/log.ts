import { currentTraceId } from '@fundrail/messaging';
import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { requestContext } from '../http/request-context.ts';

/** The fields of a line besides its fact: ids, codes, counts and durations, no personal data (DATA-5). */
export type LogFields = Readonly<Record<string, unknown>>;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields with secrets or personal data, which are hidden in a line whose caller passes a whole object (DATA-5). */
const REDACTED = [
  'authorization',
  'password',
  'client_secret',
  'secret',
  'access_token',
  'account_number',
  'primary_account_holder_name',
  'pan',
  'date_of_birth',
  'vpa',
  'email',
  'communication_email_address',
  'mobile',
  'mobile_number',
  'communication_mobile_number',
  'user_ip',
];

/** The service's log: one JSON line for each fact, with trace id, request id and tenant. The fact is a fixed phrase; varying values are fields. */
export class Log {
  constructor(private readonly pino: Pino) {}

  /** A log to standard output, or to `destination`. */
  static to(service: string, level: LogLevel, destination?: DestinationStream): Log {
    const options = {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      mixin: () => {
        const trace_id = currentTraceId();
        return { ...(trace_id !== undefined && { trace_id }), ...requestContext.getStore() };
      },
      redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '***' },
    };
    return new Log(destination ? pino(options, destination) : pino(options));
  }

  isEnabled(level: LogLevel): boolean {
    return this.pino.isLevelEnabled(level);
  }

  debug(fact: string, fields: LogFields = {}): void {
    this.pino.debug(fields, fact);
  }

  info(fact: string, fields: LogFields = {}): void {
    this.pino.info(fields, fact);
  }

  warn(fact: string, fields: LogFields = {}): void {
    this.pino.warn(fields, fact);
  }

  /** Writes the error with its stack and causes. `error` may be any thrown value. */
  error(fact: string, error: unknown, fields: LogFields = {}): void {
    this.pino.error({ ...fields, err: error }, fact);
  }
}
