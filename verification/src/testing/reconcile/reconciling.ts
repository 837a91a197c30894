import type { ServiceName } from '@fundrail/contracts';
import { reconcileCommand } from '@fundrail/service-kit';

/** A line of `npm run reconcile`. */
export interface Finding {
  readonly service: ServiceName;
  readonly kind: string;
  readonly object: string;
  readonly tenant: string | null;
  readonly state: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The result of one run. */
export interface Reconciled {
  readonly code: number;
  readonly findings: readonly Finding[];
  /** Kind, object and state of each finding, sorted, for a test to compare. */
  readonly words: readonly string[];
  readonly undone: readonly string[];
}

const NAMES = ['identity', 'orders', 'payments', 'mandates', 'plans', 'webhooks'] as const;

/** Runs the reconciliation of every service of a running product, as `npm run reconcile` does, with short pauses. */
export async function reconcile(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Reconciled> {
  const findings: Finding[] = [];
  const keep = (line: string) => void findings.push(JSON.parse(line) as Finding);
  const ends = await Promise.all(
    NAMES.map((name) => reconcileCommand({ name }, ['--settle', '0.7', ...args], env, keep)),
  );
  const undone = ends.flatMap(({ line }) => (JSON.parse(line) as { undone: string[] }).undone);
  const words = findings.map(({ kind, object, state }) => `${kind} ${object} ${state}`).sort();
  return { code: Math.max(...ends.map(({ code }) => code)), findings, words, undone };
}
