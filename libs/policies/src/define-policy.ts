import type { Decimal, ErrorCode, PaymentFailureCode, PolicySource, PolicyWords } from '@fundrail/contracts';

/** The figures of a rule. A whole number of rupees where it is an amount. */
export type Parameters = Readonly<Record<string, number | string | boolean | string[]>>;
/** What a rule is applied to. */
export type Facts = Readonly<Record<string, Decimal | number | string | boolean>>;
/** The parameters that operators have chosen for a tenant. */
export type Choice = Readonly<Record<string, number | string | boolean>>;

/** One wording of a rule. `from` and `until` are business dates (IST), both inclusive; `until: null`: no end is known. */
export interface Version<P extends Parameters> {
  readonly from: string;
  readonly until: string | null;
  readonly parameters: P;
  readonly source: readonly PolicySource[];
  /** Why the deployment's operator has changed it, and when; left out where it is the rule's own. */
  readonly override?: { readonly reason: string; readonly at: string };
}

/** What a refusal says. `{from}`, a parameter or a fact in braces is replaced by its value. */
interface Wording<P extends Parameters> {
  readonly message: string;
  readonly investor: PolicyWords;
  /** Further values for the texts, computed from the parameters. */
  shows?(parameters: P): Facts;
}

/** A refused request has an error's code. A rule that is judged elsewhere has the `failure_code` of the payment. */
type Refusal<P extends Parameters, F extends Facts> = Wording<P> &
  (
    | { readonly code: ErrorCode; allows(parameters: P, facts: F): boolean }
    | { readonly code: PaymentFailureCode; readonly allows: null }
  );

/** How far a choice may depart from the law: only below it, only above it, or freely, where the law or its reach is open; or one of these words. */
type Direction = 'at_most' | 'at_least' | 'free' | readonly string[];

/** A rule of a regulator or of NPCI. The name is on the wire and never changes. */
export interface Policy<P extends Parameters = Parameters, F extends Facts = Facts> {
  readonly name: string;
  /** One sentence that is clear without the circular. */
  readonly rule: string;
  /** Oldest first. A changed rule is a new version; the old one only gets its `until`. Before the first there is no rule. */
  readonly versions: readonly [Version<P>, ...Version<P>[]];
  /** The parameters that a tenant can have of its own. */
  readonly tenant: { readonly [K in keyof NoInfer<P>]?: Direction } | null;
  /** The least and the most that an operator's override may give a number. One without stays as it is. */
  readonly bounds?: { readonly [K in keyof NoInfer<P>]?: readonly [least: number, most: number] };
  /** How figures that depend on each other must be, when an override's are not so; null when they are. */
  unfit?(parameters: P): string | null;
  /** Null for a rule that shapes what the product does, and refuses no request. */
  readonly refusal: Refusal<P, F> | null;
  /** Routes or acts. */
  readonly applies_to: readonly string[];
  /** The product cannot work without its parameters (`parametersAt`), so no override leaves a day without a version. */
  readonly isNeeded?: boolean;
}

/** Checks that the versions are sorted and do not overlap. Throws otherwise, so no process starts. */
export function definePolicy<P extends Parameters, F extends Facts>(policy: Policy<P, F>): Policy<P, F> {
  let last = '';
  for (const { from, until } of policy.versions) {
    if (from <= last || (until !== null && until < from))
      throw new Error(`the versions of ${policy.name} overlap or are not sorted: ${from}`);
    last = until ?? '9999-12-31';
  }
  return policy;
}

/** The version in force on a business date, or null. */
export function versionOn<P extends Parameters>({ versions }: Policy<P>, date: string): Version<P> | null {
  return versions.find(({ from, until }) => from <= date && (until === null || date <= until)) ?? null;
}

/** The version in force on a business date, else the first one ahead, else the last: of an override that has expired the law's again. */
export function nearestVersion<P extends Parameters>(policy: Policy<P>, date: string): Version<P> {
  const { versions } = policy;
  const ahead = () => versions.find(({ from }) => from > date);
  return versionOn(policy, date) ?? ahead() ?? versions.at(-1) ?? versions[0];
}

/** The parameters for a tenant: a choice never relaxes the law, so a stricter version of the law holds immediately. */
export function chosen<P extends Parameters>({ tenant }: Policy<P>, law: P, choice: Choice | null): P {
  const values: Parameters = law;
  const own = Object.entries<Direction | undefined>(tenant ?? {}).flatMap(([name, direction]) => {
    const [wanted, most] = [choice?.[name], values[name]];
    if (wanted === undefined || typeof wanted !== typeof most) return [];
    if (typeof direction === 'object')
      return direction.includes(String(wanted)) ? [[name, wanted] as const] : [];
    if (direction === 'free' || typeof wanted !== 'number' || typeof most !== 'number')
      return [[name, wanted] as const];
    return [[name, direction === 'at_most' ? Math.min(wanted, most) : Math.max(wanted, most)] as const];
  });
  return { ...law, ...Object.fromEntries(own) };
}
