import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SpawnOptions } from 'node:child_process';

/** The system user that runs PostgreSQL; null when that is the user we are. */
export type Account = { readonly uid: number; readonly gid: number } | null;

/**
 * PostgreSQL refuses to run as root, so root hands it to a user that every Linux has: the owner of an existing
 * cluster, else `postgres`, else `nobody`. No user is ever added to the machine.
 */
export async function accountFor(cluster: string): Promise<Account> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(cluster).catch(() => null);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return namedAccount('postgres') ?? namedAccount('nobody') ?? { uid: 65534, gid: 65534 };
}

function namedAccount(name: string): Account {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
}

/** A program and its arguments, as `spawn` takes them. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
}

/**
 * Makes `file` run as `account`. Below a folder that only root may enter (`/root`), the account keeps the one right to
 * pass through, by util-linux's `setpriv`; elsewhere it gets no right at all.
 */
export async function runAs(
  account: Account,
  file: string,
  args: readonly string[],
  paths: readonly string[],
): Promise<Command> {
  const options: SpawnOptions = { cwd: '/' };
  if (process.platform === 'win32') return { file, args, options: {} };
  if (!account) return { file, args, options };
  const reachable = await Promise.all([file, ...paths].map(everybodyMayPass));
  if (!reachable.includes(false)) return { file, args, options: { ...options, ...account } };
  const identity = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return { file: 'setpriv', args: [...identity, ...rights, file, ...args], options };
}

async function everybodyMayPass(path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
