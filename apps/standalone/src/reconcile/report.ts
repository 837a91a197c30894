import { z } from 'zod';

/** A finding, and the last line of a service, as `reconcile --json` prints them. */
const finding = z.object({
  service: z.string(),
  kind: z.string(),
  object: z.string(),
  state: z.string(),
  facts: z.unknown(),
});
const summary = z.object({
  service: z.string(),
  looked: z.number(),
  repaired: z.number(),
  open: z.number(),
  undone: z.array(z.string()),
});

/** The findings of one service as text: a line for the service, and one below it for each finding. */
export function linesOf(found: readonly string[], last: string): string[] {
  const end = summary.safeParse(parsed(last));
  if (!end.success) return [last];
  const { service, looked, repaired, open, undone } = end.data;
  const left = [
    ...(repaired > 0 ? [`${repaired} repaired`] : []),
    ...(open > 0 ? [`${open} left for a person`] : []),
    ...(undone.length > 0 ? [`not compared: ${undone.join(', ')}`] : []),
  ];
  const findings = found.map((line) => finding.parse(parsed(line)));
  return [
    `${service.padEnd(10)} ${looked} compared, ${left.join(', ') || 'all agree'}`,
    ...findings.map(
      ({ kind, object, state, facts }) => `           ${state}: ${kind} ${object} ${JSON.stringify(facts)}`,
    ),
  ];
}

/** The last line: what the exit code means. */
export function verdictOf(code: number): string {
  if (code === 0) return 'Everything agrees, or was repaired.';
  if (code === 1)
    return 'Something is left for a person: docs/reconciliation.md describes what to do about each kind.';
  return 'Not everything could be compared: run it again when all services and outside systems answer.';
}

/** The services that still run, in a line that overwrites itself. */
export function progressOf(waiting: readonly string[], seconds: number): string {
  return `waiting for ${waiting.join(', ')} (${seconds} s)`;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
