/** Whether this is a run that decides about a change (`CI` set, and not to `false` or `0`): nothing may be left out of it. */
export function isCi(): boolean {
  return !['', 'false', '0'].includes(process.env['CI'] ?? '');
}
