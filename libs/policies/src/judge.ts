import { ApiError, istDate } from '@fundrail/contracts';
import { chosen, versionOn, type Choice, type Policy, type Version } from './define-policy.ts';
import { reportJudged } from './judgements.ts';
import { POLICIES, type PolicyName } from './policies.ts';
import { refusalTexts } from './refusal-texts.ts';

type ParametersOf = {
  readonly [N in PolicyName]: (typeof POLICIES)[N]['versions'][number]['parameters'];
};
/** The facts of the policies that are judged. */
type FactsOf = {
  readonly [N in PolicyName]: (typeof POLICIES)[N] extends Policy<ParametersOf[N], infer F> ? F : never;
};
type PolicyOf<N extends PolicyName> = Policy<ParametersOf[N], FactsOf[N]>;
type Registry = { readonly [N in PolicyName]?: PolicyOf<N> };

/** The questions to a set of policies. Instants are of the business clock. */
export function policiesOf(registry: Registry) {
  /** The version that is in force, or null. */
  function policyAt<N extends PolicyName>(name: N, instant: Date): Version<ParametersOf[N]> | null {
    const policy = registry[name];
    return policy ? versionOn(policy, istDate(instant)) : null;
  }

  /** Null when the facts are allowed, with the tenant's choice or without any; otherwise the error to throw. */
  function judge<N extends PolicyName>(
    name: N,
    instant: Date,
    choice: Choice | null,
    facts: FactsOf[N],
  ): ApiError | null {
    const policy = registry[name];
    const refusal = policy?.refusal;
    const version = policyAt(name, instant);
    if (!policy || !refusal?.allows || !version) return null;
    const parameters = chosen(policy, version.parameters, choice);
    if (refusal.allows(parameters, facts)) return null;
    const { message, investor } = refusalTexts(refusal, version.from, parameters, facts);
    const by = { name, in_force_from: version.from, source: [...version.source], investor };
    return new ApiError(refusal.code, message, [], undefined, by);
  }

  /** The parameters for a tenant with that choice, or null while no version is in force. */
  function parametersFor<N extends PolicyName>(
    name: N,
    instant: Date,
    choice: Choice | null,
  ): ParametersOf[N] | null {
    const policy = registry[name];
    const version = policyAt(name, instant);
    return policy && version ? chosen(policy, version.parameters, choice) : null;
  }

  return { policyAt, parametersFor, judge };
}

const policies: { readonly [N in PolicyName]: PolicyOf<N> } = POLICIES;
const all = policiesOf(policies);
export const { policyAt, parametersFor } = all;

/** Null when the facts are allowed, with the tenant's choice or without any; otherwise the error to throw. Each judgement is counted (POL-8). */
export function judge<N extends PolicyName>(
  ...asked: [name: N, instant: Date, choice: Choice | null, facts: FactsOf[N]]
): ApiError | null {
  const refusal = all.judge(...asked);
  reportJudged(asked[0], refusal ? 'refused' : 'allowed');
  return refusal;
}

/** The parameters of a rule that shapes what the product does. Throws before its first version, for which the product was not made. */
export function parametersAt<N extends PolicyName>(name: N, instant: Date): ParametersOf[N] {
  const version = policyAt(name, instant);
  if (!version) throw new Error(`${name} has no version on ${istDate(instant)}`);
  return version.parameters;
}

/** The newest version known, also one that is ahead: what the variables of a process are checked by at its start. */
export function newestParameters<N extends PolicyName>(name: N): ParametersOf[N] {
  const { versions }: PolicyOf<N> = policies[name];
  return (versions.at(-1) ?? versions[0]).parameters;
}
