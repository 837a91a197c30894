import { ApiError, istDate, istInstant, type Holidays } from '@fundrail/contracts';
import { chosen, versionOn, type Choice, type Policy, type Version } from './define-policy.ts';
import { reportJudged } from './judgements.ts';
import { navDateBy, type NavOrder } from './nav-cut-off.policy.ts';
import { POLICIES, type PolicyName } from './policies.ts';
import { lastPayoutDay, type TradedRedemption } from './redemption-payout.policy.ts';
import { refusalTexts } from './refusal-texts.ts';
import { questionAfter, type PlannedQuestion } from './upi-status-enquiry.policy.ts';

type ParametersOf = {
  readonly [N in PolicyName]: (typeof POLICIES)[N]['versions'][number]['parameters'];
};
/** The facts of the policies that are judged. */
type FactsOf = {
  readonly [N in PolicyName]: (typeof POLICIES)[N] extends Policy<ParametersOf[N], infer F> ? F : never;
};
type PolicyOf<N extends PolicyName> = Policy<ParametersOf[N], FactsOf[N]>;
type Registry = { readonly [N in PolicyName]?: PolicyOf<N> };

/** A transaction by UPI, of which `asked` questions were asked. `firstSeconds`: as configured, the law's when left out. */
interface UpiTransaction {
  /** When the URI, the request or the execution went out. */
  readonly start: Date;
  readonly asked: number;
  readonly firstSeconds?: number | undefined;
}

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

  /** As `nextUpiQuestion`, of these policies. */
  function upiQuestion({ start, asked, firstSeconds }: UpiTransaction, now: Date): PlannedQuestion | null {
    const pace = policyAt('upi_status_enquiry', now)?.parameters;
    return pace
      ? questionAfter(pace, { start, asked, firstSeconds: firstSeconds ?? pace.first_seconds }, now)
      : null;
  }

  /** As `expectedNavDate`, of these policies. */
  function navDate(order: NavOrder, holidays: Holidays): string | null {
    const times = policyAt('nav_cut_off', order.accepted)?.parameters;
    return times ? navDateBy(times, order, holidays) : null;
  }

  /** As `payoutDueDate`, of these policies. */
  function payoutDay(redemption: TradedRedemption, holidays: Holidays): string | null {
    const days = policyAt('redemption_payout', istInstant(redemption.traded_on))?.parameters;
    return days ? lastPayoutDay(days, redemption, holidays) : null;
  }

  return { policyAt, parametersFor, judge, upiQuestion, navDate, payoutDay };
}

const policies: { readonly [N in PolicyName]: PolicyOf<N> } = POLICIES;
const all = policiesOf(policies);
export const { policyAt, parametersFor } = all;
/** When a provider is asked next about a transaction by UPI, after `now`; null while `upi_status_enquiry` has no version in force (POL-10). */
export const nextUpiQuestion = all.upiQuestion;
/** The IST day whose NAV applies to an order; null while `nav_cut_off` has no version in force (ORD-36). */
export const expectedNavDate = all.navDate;
/** The last IST day on which a redemption is paid out in time; null while `redemption_payout` has no version in force (ORD-37). */
export const payoutDueDate = all.payoutDay;

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
