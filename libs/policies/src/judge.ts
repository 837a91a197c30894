import { ApiError, istDate, istInstant, type Holidays, type PolicyOverride } from '@fundrail/contracts';
import {
  chosen,
  nearestVersion,
  versionOn,
  type Choice,
  type Policy,
  type Version,
} from './define-policy.ts';
import { reportJudged } from './judgements.ts';
import { navDateBy, type NavOrder } from './nav-cut-off.policy.ts';
import { overridePolicies } from './override-policies.ts';
import { POLICIES, type PolicyName } from './policies.ts';
import { lastPayoutDay, type TradedRedemption } from './redemption-payout.policy.ts';
import { refusalTexts } from './refusal-texts.ts';
import {
  allowedFrom,
  isTaken,
  leavesOne,
  questionAfter,
  type PlannedQuestion,
  type UpiQuestions,
} from './upi-status-enquiry.policy.ts';

type ParametersOf = {
  readonly [N in PolicyName]: (typeof POLICIES)[N]['versions'][number]['parameters'];
};
/** The facts of the policies that are judged. */
type FactsOf = {
  readonly [N in PolicyName]: (typeof POLICIES)[N] extends Policy<ParametersOf[N], infer F> ? F : never;
};
type PolicyOf<N extends PolicyName> = Policy<ParametersOf[N], FactsOf[N]>;
type Registry = { readonly [N in PolicyName]?: PolicyOf<N> };

/** A transaction by UPI. `firstSeconds`: as configured, within the rule of the moment; that rule's when left out. `early`: none when left out. */
export interface UpiTransaction {
  /** When the URI, the request or the execution went out. */
  readonly start: Date;
  readonly firstSeconds?: number | undefined;
  /** When operators asked at once, oldest first. */
  readonly early?: readonly Date[];
}

type UpiPace = ParametersOf['upi_status_enquiry'];

function questionsOf(
  { start, firstSeconds, early = [] }: UpiTransaction,
  { first_seconds, first_seconds_least }: Pick<UpiPace, 'first_seconds' | 'first_seconds_least'>,
): UpiQuestions {
  // The rule of the moment: the one of the start, by which the variable was checked, may be over.
  const seconds = Math.min(Math.max(firstSeconds ?? first_seconds, first_seconds_least), first_seconds);
  return { start, firstSeconds: seconds, early };
}

/** The questions to `upi_status_enquiry`, whose parameters at an instant are `paceAt`; null while it has no version in force. */
function upiQuestionsOf(paceAt: (instant: Date) => UpiPace | null) {
  /** As `nextUpiQuestion`, of these policies. */
  function upiQuestion(
    { asked, ...transaction }: UpiTransaction & { readonly asked: number },
    now: Date,
  ): PlannedQuestion | null {
    const planBy = (pace: UpiPace) => questionAfter(pace, { ...questionsOf(transaction, pace), asked }, now);
    const pace = paceAt(now);
    if (!pace) return null;
    const planned = planBy(pace);
    // The provider is asked under the rule of that moment, so that rule plans the question. Where it does so before its own first day, the
    // later time stays.
    const then = paceAt(planned.at);
    if (!then || then === pace) return planned;
    const plannedThen = planBy(then);
    return paceAt(plannedThen.at) === then ? plannedThen : planned;
  }

  /** As `upiQuestionAllowedFrom`, of these policies. */
  function upiAllowedFrom(transaction: UpiTransaction, now: Date): Date {
    const pace = paceAt(now);
    return pace ? allowedFrom(pace, questionsOf(transaction, pace), now) : now;
  }

  /** As `isUpiQuestionTaken`, of these policies. */
  function isUpiTaken(transaction: UpiTransaction, planned: PlannedQuestion): boolean {
    const pace = paceAt(planned.at);
    return pace ? isTaken(pace, questionsOf(transaction, pace), planned) : false;
  }

  /** As `mayCancellationAsk`, of these policies. */
  function mayUpiCancellationAsk(transaction: UpiTransaction, now: Date): boolean {
    const pace = paceAt(now);
    return pace ? leavesOne(pace, questionsOf(transaction, pace), now) : true;
  }

  return { upiQuestion, upiAllowedFrom, mayUpiCancellationAsk, isUpiTaken };
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

  return {
    policyAt,
    parametersFor,
    judge,
    navDate,
    payoutDay,
    ...upiQuestionsOf((instant) => policyAt('upi_status_enquiry', instant)?.parameters ?? null),
  };
}

type Whole = { readonly [N in PolicyName]: PolicyOf<N> };

const law: Whole = POLICIES;
let inUse = { registry: law, questions: policiesOf(law) };

/** Uses the policies with these overrides in this process from now on, before its services read their variables. Throws as `overridePolicies`. */
export function usePolicies(overrides: readonly PolicyOverride[]): void {
  const registry = overridePolicies(law, overrides);
  inUse = { registry, questions: policiesOf(registry) };
}

/** Every policy as this process uses it. */
export function policiesInUse(): readonly Policy[] {
  return Object.values<Policy>(inUse.registry);
}

/** The version in force at that instant of the business clock, or null. */
export function policyAt<N extends PolicyName>(name: N, instant: Date): Version<ParametersOf[N]> | null {
  return inUse.questions.policyAt(name, instant);
}

/** The parameters for a tenant with that choice, or null while no version is in force. */
export function parametersFor<N extends PolicyName>(
  ...asked: [name: N, instant: Date, choice: Choice | null]
): ParametersOf[N] | null {
  return inUse.questions.parametersFor(...asked);
}

/**
 * When a provider is asked next about a transaction by UPI, after `now`, by the version in force then; null while `upi_status_enquiry` has
 * none (POL-10).
 */
export function nextUpiQuestion(
  transaction: UpiTransaction & { readonly asked: number },
  now: Date,
): PlannedQuestion | null {
  return inUse.questions.upiQuestion(transaction, now);
}

/** From when on an operator may ask about a transaction by UPI at once: `now`, or later by `upi_status_enquiry` (ADMIN-17). */
export function upiQuestionAllowedFrom(transaction: UpiTransaction, now: Date): Date {
  return inUse.questions.upiAllowedFrom(transaction, now);
}

/** Whether a client's cancellation may ask about a UPI transaction: not before the first question, nor the last within the hours (POL-10). */
export function mayCancellationAsk(transaction: UpiTransaction, now: Date): boolean {
  return inUse.questions.mayUpiCancellationAsk(transaction, now);
}

/** Whether an operator's question has taken the place of this planned one. `position` 0, of no plan, never is. */
export function isUpiQuestionTaken(transaction: UpiTransaction, planned: PlannedQuestion): boolean {
  return inUse.questions.isUpiTaken(transaction, planned);
}

/** The IST day whose NAV applies to an order; null while `nav_cut_off` has no version in force (ORD-36). */
export function expectedNavDate(order: NavOrder, holidays: Holidays): string | null {
  return inUse.questions.navDate(order, holidays);
}

/** The last IST day on which a redemption is paid out in time; null while `redemption_payout` has no version in force (ORD-37). */
export function payoutDueDate(redemption: TradedRedemption, holidays: Holidays): string | null {
  return inUse.questions.payoutDay(redemption, holidays);
}

/** How many days the facts of callbacks, events and webhook attempts stay (`personal_data_retention`), from the release on. */
export function logDaysAt(instant: Date): number {
  return nearestParameters('personal_data_retention', instant).log_days;
}

/** Null when the facts are allowed, with the tenant's choice or without any; otherwise the error to throw. Each judgement is counted (POL-8). */
export function judge<N extends PolicyName>(
  ...asked: [name: N, instant: Date, choice: Choice | null, facts: FactsOf[N]]
): ApiError | null {
  const refusal = inUse.questions.judge(...asked);
  reportJudged(asked[0], refusal ? 'refused' : 'allowed');
  return refusal;
}

/**
 * The parameters of a rule that shapes what the product does, one with `isNeeded`. Throws before its first version, for which the product
 * was not made.
 */
export function parametersAt<N extends PolicyName>(name: N, instant: Date): ParametersOf[N] {
  const { isNeeded }: PolicyOf<N> = inUse.registry[name];
  if (!isNeeded) throw new Error(`${name} may have no version on a day: use policyAt`);
  const version = policyAt(name, instant);
  if (!version) throw new Error(`${name} has no version on ${istDate(instant)}`);
  return version.parameters;
}

/** The parameters in force, else the first ones ahead: of a rule that the product keeps to before its day, and for the variables of a process. */
export function nearestParameters<N extends PolicyName>(name: N, instant: Date): ParametersOf[N] {
  const policy: PolicyOf<N> = inUse.registry[name];
  return nearestVersion(policy, istDate(instant)).parameters;
}
