import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { SharedAnswer } from './shared-answer.ts';

const run = promisify(execFile);
/** Below the 5 s of a connection, so that the error names a slow command. */
const COMMAND_LIMIT_MS = 4_000;
/** After a failover a pool connects many times at once; one run of the command serves all of them. */
const KEEP_ANSWER_MS = 3_000;

/** The sources of a password. They are stored as parameters of the database's URL, so that each connection has them; they are not secret. */
const SOURCES = {
  DATABASE_PASSWORD_FILE: { parameter: 'fundrail_password_file', read: passwordOfFile },
  DATABASE_PASSWORD_COMMAND: { parameter: 'fundrail_password_command', read: passwordOfCommand },
} as const;
type Source = keyof typeof SOURCES;
const NAMES = Object.keys(SOURCES) as Source[];

/**
 * Adds the password's source from `DATABASE_PASSWORD_FILE` or `DATABASE_PASSWORD_COMMAND` to the URL; without either, returns the URL
 * unchanged. Throws an error that names the variable when both are given, or when the URL has a password too.
 */
export function withPasswordSource(url: string, env: Readonly<Record<string, string | undefined>>): string {
  const [source, other] = NAMES.filter((name) => env[name]);
  if (!source) return url;
  if (other) throw new Error(`${other} has no effect beside ${source}`);
  const named = new URL(url);
  if (named.password !== '')
    throw new Error(`${source} has no effect: the URL of the database has a password`);
  named.searchParams.set(SOURCES[source].parameter, env[source] ?? '');
  return named.href;
}

/**
 * The class of clients for this URL. When the URL names a source, each new connection reads the password from it, so a changed
 * password or a short-lived token needs no restart. Open connections are not affected.
 */
export function clientClassFor(url: string): typeof pg.Client {
  const parameters = new URL(url).searchParams;
  for (const { parameter, read } of Object.values(SOURCES)) {
    const place = parameters.get(parameter);
    if (place !== null) return clientWithPassword(() => read(place));
  }
  return pg.Client;
}

function clientWithPassword(readPassword: () => Promise<string>): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const value = () => readPassword().catch((error: unknown) => this.giveUp(error));
      // Defined as pg does, so that a printed client does not show it. A function in the configuration would lose against the URL.
      Object.defineProperty(this, 'password', { value, writable: true, configurable: true });
    }

    /** pg reports the error and leaves the connection open: the server would wait a minute for the password, with one of its places taken. */
    private giveUp(error: unknown): never {
      setImmediate(() => this.connection.stream.destroy());
      throw error;
    }
  };
}

async function passwordOfFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trimEnd();
  } catch (error) {
    throw new Error(`DATABASE_PASSWORD_FILE cannot be read: ${codeOf(error)}`, { cause: error });
  }
}

/** By command. A process has only one command. */
const answers = new Map<string, SharedAnswer<string>>();

function passwordOfCommand(command: string): Promise<string> {
  const answer = answers.get(command) ?? new SharedAnswer(() => runCommand(command), KEEP_ANSWER_MS);
  answers.set(command, answer);
  return answer.get();
}

/** The first line that the command prints. No message repeats its output, which may contain a password. */
async function runCommand(command: string): Promise<string> {
  try {
    const { stdout } = await run('sh', ['-c', command], { timeout: COMMAND_LIMIT_MS });
    const [line = ''] = stdout.split('\n');
    if (line.trim() !== '') return line.trim();
  } catch (error) {
    throw new Error(`DATABASE_PASSWORD_COMMAND failed: ${codeOf(error)}`);
  }
  throw new Error('DATABASE_PASSWORD_COMMAND printed nothing');
}

function codeOf(error: unknown): string {
  const { code } = error as { readonly code?: string | number | null };
  return `${code ?? 'it did not end in time'}`;
}
