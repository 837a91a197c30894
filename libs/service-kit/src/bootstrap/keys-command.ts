import { z } from 'zod';
import { parseEnvironment, type Environment } from '../config/environment.ts';
import { withSecrets } from '../config/sandbox-secrets.ts';
import { dataKeysVariable } from '../config/variables.ts';
import { DataCipher } from '../crypto/data-cipher.ts';
import { databaseUrlFor } from '../db/migrate.ts';
import { withConnection } from '../db/open-database.ts';
import type { ServiceDefinition } from '../db/service-definition.ts';
import { encryptedColumnsOf, type EncryptedColumn } from '../keys/encrypted-column.ts';
import { connectedKeys } from '../keys/replica-keys.ts';
import { countLeft, rotateKeys, type Left } from '../keys/rotate-keys.ts';
import type { ColumnWalk } from '../keys/walk-column.ts';
import type { CommandEnd } from './migrate-command.ts';

const USAGE = 'usage: main.js keys rotate | status';

type Keyed = Pick<ServiceDefinition, 'name' | 'encrypted' | 'keyedLinks'>;
type Print = (line: string) => void;

/**
 * `main.js keys rotate`: encrypts everything in this service's database under the first key of `DATA_ENCRYPTION_KEY`, while the service runs,
 * and says whether the other keys may be taken out. `keys status` only looks. Prints a line a column. Ends with 0 when nothing is left under
 * another key and no replica that is connected encrypts with one, with 1 otherwise. Rejects when the database does not answer, and
 * with `BadEnvironment`.
 */
export async function keysCommand(
  service: Keyed,
  args: readonly string[],
  env: Environment,
  print: Print = (line) => void process.stdout.write(`${line}\n`),
): Promise<CommandEnd> {
  const [command, ...rest] = args;
  if ((command !== 'rotate' && command !== 'status') || rest.length > 0) return { code: 2, line: USAGE };
  const { DATA_ENCRYPTION_KEY } = parseEnvironment(
    z.object({ DATA_ENCRYPTION_KEY: dataKeysVariable }),
    withSecrets(env),
  );
  const cipher = new DataCipher(DATA_ENCRYPTION_KEY);
  const columns = encryptedColumnsOf(service);
  const tell = (column: EncryptedColumn, walk: ColumnWalk) => print(lineOf(service, column, walk));
  return withConnection(databaseUrlFor(service.name, env), `fundrail-${service.name}-keys`, async (db) => {
    const replicas = () => connectedKeys(db, service.name);
    if (command === 'status')
      return endOf(service, cipher, await countLeft(db, columns, cipher, tell), await replicas());
    // One that goes meanwhile may have written under its key behind the last look.
    const before = await replicas();
    const lacking = lackingKey(cipher, before);
    if (lacking) return { code: 1, line: `${service.name}: nothing was done: ${lacking}` };
    const left = await rotateKeys(db, columns, cipher, tell);
    return endOf(service, cipher, left, [...before, ...(await replicas())]);
  });
}

/** What would break if values were encrypted under the first key now; null for nothing that can be seen. */
function lackingKey({ keyIds }: DataCipher, replicas: readonly (readonly string[])[]): string | null {
  const [first = ''] = keyIds;
  const without = replicas.find((ids) => !ids.includes(first));
  if (!without) return null;
  return `a replica runs without the key ${first}, and could not read what this would write; it has ${without.join(', ')}`;
}

function lineOf({ name }: Keyed, { table, column }: EncryptedColumn, walk: ColumnWalk): string {
  const { looked, stale, rewritten, unreadable } = walk;
  const facts = [`${looked} rows`, `${stale} under another key`, `${rewritten} encrypted anew`];
  for (const [why, count] of unreadable) facts.push(`${count} that no key of the list decrypts (${why})`);
  return `${name}  ${table}.${column}  ${facts.join(', ')}`;
}

function endOf(
  service: Keyed,
  cipher: DataCipher,
  { stale, unreadable }: Left,
  replicas: readonly (readonly string[])[],
): CommandEnd {
  const { name } = service;
  const [first = '', ...others] = cipher.keyIds;
  const writers = [...new Set(replicas.flatMap(([id]) => (id === first ? [] : [id])))];
  const wrongs = [
    ...(stale > 0 ? [`${stale} rows are under another key than ${first}`] : []),
    ...(unreadable > 0
      ? [`${unreadable} rows cannot be decrypted: give their key back, behind the others`]
      : []),
    ...(writers.length > 0
      ? [`a replica still encrypts with ${writers.join(', ')}: start it anew with ${first} in front`]
      : []),
  ];
  if (wrongs.length > 0) return { code: 1, line: `${name}: keep every key: ${wrongs.join('; ')}` };
  if (others.length === 0)
    return { code: 0, line: `${name}: everything is under ${first}, the only key of DATA_ENCRYPTION_KEY` };
  const free = `${name}: everything is under ${first}; ${others.join(', ')} may be taken out of DATA_ENCRYPTION_KEY`;
  return { code: 0, line: `${free}${whenLinksEnd(service, first)}` };
}

/** Links are not stored, so nobody can say which are out: those from before all replicas had the key in front end by themselves. */
function whenLinksEnd({ keyedLinks }: Keyed, first: string): string {
  if (!keyedLinks) return '';
  const { variable, minutes } = keyedLinks;
  return ` when all replicas have had ${first} in front for ${variable} (${minutes}): links given out before are good for so long`;
}
