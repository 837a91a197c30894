import type { ServiceName } from '@fundrail/contracts';
import { reconcileCommand } from '@fundrail/service-kit';

/** A line of `npm run reconcile`. */
export interface Told {
  readonly service: ServiceName;
  readonly kind: string;
  readonly object: string;
  readonly tenant: string | null;
  readonly state: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** What one run came to. */
export interface Reconciled {
  readonly code: number;
  readonly findings: readonly Told[];
  /** Kind, object and state of each, in order: what a test compares. */
  readonly words: readonly string[];
  readonly undone: readonly string[];
}

const NAMES = ['identity', 'orders', 'payments', 'mandates', 'swp', 'webhooks'] as const;

/** Has every service of a running product compare itself, as `npm run reconcile` does, with short pauses. */
export async function reconcile(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Reconciled> {
  const findings: Told[] = [];
  const keep = (line: string) => void findings.push(JSON.parse(line) as Told);
  const ends = await Promise.all(
    NAMES.map((name) => reconcileCommand({ name }, ['--settle', '0.7', ...args], env, keep)),
  );
  const undone = ends.flatMap(({ line }) => (JSON.parse(line) as { undone: string[] }).undone);
  const words = findings.map(({ kind, object, state }) => `${kind} ${object} ${state}`).sort();
  return { code: Math.max(...ends.map(({ code }) => code)), findings, words, undone };
}
