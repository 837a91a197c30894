import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SpawnOptions } from 'node:child_process';

/** The system user that runs PostgreSQL; null for our own user. */
export type Account = { readonly uid: number; readonly gid: number } | null;

/**
 * PostgreSQL refuses to run as root, so for root it runs as a user that the machine has: the owner of an existing cluster, else
 * `postgres`, else the unprivileged user of Linux. No user is added to the machine.
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
interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
}

/**
 * The command that runs `file` as `account`. Below a folder that only root may enter (`/root`), the account keeps the one
 * capability that lets it pass, by util-linux's `setpriv`; elsewhere it has none.
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
  const reachable = await Promise.all([file, ...paths].map(allMayPass));
  if (!reachable.includes(false)) return { file, args, options: { ...options, ...account } };
  const identity = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return { file: 'setpriv', args: [...identity, ...rights, file, ...args], options };
}

async function allMayPass(path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
