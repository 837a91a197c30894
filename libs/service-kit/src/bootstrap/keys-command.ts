import { storedNameOf } from '@fundrail/contracts';
import { z } from 'zod';
import { parseEnvironment, type Environment } from '../config/environment.ts';
import { withSecrets } from '../config/sandbox-secrets.ts';
import { dataFormatVariable, dataKeysVariable } from '../config/variables.ts';
import { DataCipher } from '../crypto/data-cipher.ts';
import { databaseUrlFor } from '../db/migrate.ts';
import { withConnection } from '../db/open-database.ts';
import type { ServiceDefinition } from '../db/service-definition.ts';
import { encryptedColumnsOf, type EncryptedColumn } from '../keys/encrypted-column.ts';
import { connectedKeys, type ReplicaKeys } from '../keys/replica-keys.ts';
import { countLeft, rotateKeys, type Left } from '../keys/rotate-keys.ts';
import type { ColumnWalk } from '../keys/walk-column.ts';
import type { CommandEnd } from './migrate-command.ts';

const USAGE = 'usage: main.js keys rotate | status';

type Keyed = Pick<ServiceDefinition, 'name' | 'encrypted' | 'keyedLinks'>;
type Print = (line: string) => void;

/**
 * `main.js keys rotate`: encrypts everything in this service's database under the first key of `DATA_ENCRYPTION_KEY`, while the
 * service runs, and reports whether the other keys may be removed. `keys status` only reads. Prints one line for each column. Ends
 * with 0 when no value is under another key and no connected replica encrypts with one, with 1 otherwise. Rejects when the database
 * does not answer, and with `BadEnvironment`.
 */
export async function keysCommand(
  service: Keyed,
  args: readonly string[],
  env: Environment,
  print: Print = (line) => void process.stdout.write(`${line}\n`),
): Promise<CommandEnd> {
  const [command, ...rest] = args;
  if ((command !== 'rotate' && command !== 'status') || rest.length > 0) return { code: 2, line: USAGE };
  const { DATA_ENCRYPTION_KEY, DATA_ENCRYPTION_FORMAT: formats } = parseEnvironment(
    z.object({ DATA_ENCRYPTION_KEY: dataKeysVariable, DATA_ENCRYPTION_FORMAT: dataFormatVariable }),
    withSecrets(env),
  );
  const stored = storedNameOf(service.name);
  const cipher = new DataCipher(DATA_ENCRYPTION_KEY, { service: stored, formats });
  const columns = encryptedColumnsOf(service);
  const report = (column: EncryptedColumn, walk: ColumnWalk) => print(lineOf(service, column, walk));
  return withConnection(databaseUrlFor(service.name, env), `fundrail-${stored}-keys`, async (db) => {
    const replicas = () => connectedKeys(db, stored);
    if (command === 'status')
      return endOf(service, cipher, await countLeft(db, columns, cipher, report), await replicas());
    // A replica that ends meanwhile may have written under its key after the last check.
    const before = await replicas();
    const lacking = lackingKey(cipher, before);
    if (lacking) return { code: 1, line: `${service.name}: nothing was done: ${lacking}` };
    const left = await rotateKeys(db, columns, cipher, report);
    return endOf(service, cipher, left, [...before, ...(await replicas())]);
  });
}

/** Why values must not be encrypted under the first key now; null when no reason is known. */
function lackingKey({ keyIds, format }: DataCipher, replicas: readonly ReplicaKeys[]): string | null {
  const [first = ''] = keyIds;
  const without = replicas.find(({ ids }) => !ids.includes(first));
  if (without)
    return `a replica runs without the key ${first} and could not read the new values; it has ${without.ids.join(', ')}`;
  if (format === 'v2' && replicas.some(({ readsV2 }) => !readsV2))
    return 'a replica of the previous release runs and could not read format v2: finish the roll-out first';
  return null;
}

function lineOf({ name }: Keyed, { table, column }: EncryptedColumn, walk: ColumnWalk): string {
  const { looked, stale, otherFormat, rewritten, unreadable } = walk;
  const facts = [`${looked} rows`, `${stale - otherFormat} under another key`];
  if (otherFormat > 0) facts.push(`${otherFormat} in another format`);
  facts.push(`${rewritten} re-encrypted`);
  for (const [why, count] of unreadable) facts.push(`${count} that no key of the list decrypts (${why})`);
  return `${name}  ${table}.${column}  ${facts.join(', ')}`;
}

function endOf(
  service: Keyed,
  cipher: DataCipher,
  { stale, otherFormat, unreadable }: Left,
  replicas: readonly ReplicaKeys[],
): CommandEnd {
  const { name } = service;
  const [first = '', ...others] = cipher.keyIds;
  const writers = [...new Set(replicas.flatMap(({ ids: [id] }) => (id === first ? [] : [id])))];
  const isMixed = replicas.some(({ writesV1 }) => writesV1 !== (cipher.format === 'v1'));
  const wrongs = [
    ...(stale > otherFormat ? [`${stale - otherFormat} rows are under another key than ${first}`] : []),
    ...(otherFormat > 0 ? [`${otherFormat} rows are in another format than ${cipher.format}`] : []),
    ...(unreadable > 0
      ? [`${unreadable} rows cannot be decrypted: add their key at the end of the list`]
      : []),
    ...(writers.length > 0
      ? [`a replica still encrypts with ${writers.join(', ')}: restart it with ${first} first in the list`]
      : []),
    ...(isMixed
      ? [`a replica writes another format than ${cipher.format}: give it the same DATA_ENCRYPTION_FORMAT`]
      : []),
  ];
  if (wrongs.length > 0) return { code: 1, line: `${name}: keep every key: ${wrongs.join('; ')}` };
  if (others.length === 0)
    return { code: 0, line: `${name}: everything is under ${first}, the only key of DATA_ENCRYPTION_KEY` };
  const free = `${name}: everything is under ${first}; ${others.join(', ')} may be taken out of DATA_ENCRYPTION_KEY`;
  return { code: 0, line: `${free}${whenLinksEnd(service, first)}` };
}

/** Links are not stored, so the old key has to stay until every link of the time before the rotation has expired. */
function whenLinksEnd({ keyedLinks }: Keyed, first: string): string {
  if (!keyedLinks) return '';
  const { variable, minutes } = keyedLinks;
  return ` when all replicas have run with ${first} first in the list for ${variable} (${minutes}): earlier links are valid for so long`;
}
