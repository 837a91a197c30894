/** Whether `CI` is set, and not to `false` or `0`. Such a run decides about a change, so it may skip nothing. */
export function isCi({ CI }: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return !['', 'false', '0'].includes(CI ?? '');
}
