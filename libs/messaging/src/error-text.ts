import { stringifyJson } from '@fundrail/contracts';

/**
 * The text of an error for log lines and parked rows: only its name, message and code. PostgreSQL's `detail` is omitted,
 * because it quotes the row, which may contain personal data.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return error === undefined ? 'undefined' : stringifyJson(error);
  const code: unknown = Reflect.get(error, 'code');
  return `${error.name}: ${error.message}${typeof code === 'string' ? ` (${code})` : ''}`;
}

/** The same with the stack, as the field `err` of a log line. */
export function loggedError(error: unknown): {
  readonly message: string;
  readonly stack?: string | undefined;
} {
  return { message: errorText(error), stack: error instanceof Error ? error.stack : undefined };
}
