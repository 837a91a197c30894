import { spawnSync } from 'node:child_process';

/** Whether Prometheus' checker is on this machine (Debian's package `prometheus`). */
export function hasPromtool(): boolean {
  return spawnSync('promtool', ['--version']).status === 0;
}

/** Runs it in the folder; answers all that it said, and 'ok' before it when it was content. */
export function promtool(folder: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
  return `${status === 0 ? 'ok' : 'refused'}\n${stdout}${stderr}`;
}
