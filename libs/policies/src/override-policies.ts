import { addDays, istDate, type PolicyOverride } from '@fundrail/contracts';
import { definePolicy, type Parameters, type Policy, type Version } from './define-policy.ts';

const TIME = '([01]\\d|2[0-3]):[0-5]\\d';
/** Texts that are times of day: one as `nav_cut_off` has it, or windows as those of `autopay_windows`. */
const WINDOW = `${TIME}-(${TIME}|24:00)`;
const TIMES = [`^${TIME}$`, `^${WINDOW}(,${WINDOW})*$`].map((form) => new RegExp(form));

/** The policies with the overrides of a deployment (POL-11). Throws with a sentence that names the override that does not fit. */
export function overridePolicies<R extends Readonly<Record<string, Policy>>>(
  registry: R,
  overrides: readonly PolicyOverride[],
): R {
  const after: Record<string, Policy> = { ...registry };
  const seen = new Set<string>();
  for (const override of overrides) {
    const { policy: name, version } = override;
    const policy = Object.hasOwn(registry, name) ? after[name] : undefined;
    if (!policy) throw new Error(`${name} is not a policy`);
    const changed = registry[name]?.versions.find(({ from }) => from === version);
    if (!changed) throw new Error(`${name} has no version from ${version}`);
    if (seen.has(`${name} ${version}`)) throw new Error(`${name} from ${version} is overridden twice`);
    seen.add(`${name} ${version}`);
    const earlier = overrides.find(endsBefore(override));
    if (earlier) mustExpireTogether(earlier, override);
    const by = overridden(policy, changed, override, earlier !== undefined);
    const versions = replaced(policy.versions, changed, by);
    after[name] = { ...policy, versions };
  }
  // At the end, because two entries may move the day between two versions.
  for (const [name, law] of Object.entries(registry)) {
    mustKeepOrder(law, overrides);
    mustCover(law, definePolicy(after[name] ?? law));
  }
  return after as R;
}

/** Throws when a policy that the product cannot work without has no version on a day on which the law has one. */
function mustCover({ versions: [{ from: start }] }: Policy, { name, isNeeded, versions }: Policy): void {
  if (!isNeeded) return;
  let next: string | null = start;
  for (const { from, until } of versions)
    if (next !== null && from <= next) next = until === null ? null : addDays(until, 1);
  if (next !== null) throw new Error(`${name} must have a version on every day from ${start} on`);
}

/** Throws when an entry lets a version begin before an earlier one: sorted by their starts (`replaced`) they would hide one of the law's. */
function mustKeepOrder({ name, versions }: Policy, overrides: readonly PolicyOverride[]): void {
  let last = '';
  for (const { from } of versions) {
    const entry = overrides.find(({ policy, version }) => policy === name && version === from);
    const start = entry?.from ?? from;
    if (start <= last) throw new Error(`the versions of ${name} overlap or are not sorted: ${start}`);
    last = start;
  }
}

/** Whether an entry of an earlier version ends it on the day before this one begins: together they move the day between both. */
function endsBefore({ policy, version, from }: PolicyOverride): (other: PolicyOverride) => boolean {
  if (from === undefined || from === version) return () => false;
  const day = addDays(from, -1);
  return (other) => other.policy === policy && other.version < version && other.until === day;
}

/** Throws when one of two entries that move a day expires without the other: days between the law's and theirs would have no version, or two. */
function mustExpireTogether(earlier: PolicyOverride, later: PolicyOverride): void {
  if (earlier.expires_on === later.expires_on) return;
  const [first, second] = [earlier, later].map(
    ({ version, expires_on: last }) =>
      `${version} ${last === undefined ? 'does not expire' : `expires on ${last}`}`,
  );
  throw new Error(
    `${later.policy} from ${first}, and from ${second}: they move the day between both versions, so give them the same expires_on`,
  );
}

function replaced(
  versions: Policy['versions'],
  old: Version<Parameters>,
  by: readonly Version<Parameters>[],
): Policy['versions'] {
  // An entry that moves its day earlier and expires makes a version that comes after the first one of the next.
  const [first = old, ...others] = versions
    .flatMap((version) => (version === old ? by : [version]))
    .toSorted((one, other) => (one.from < other.from ? -1 : 1));
  return [first, ...others];
}

function overridden(
  policy: Policy,
  version: Version<Parameters>,
  { from, until, parameters = {}, reason, at, expires_on: last }: PolicyOverride,
  movesDay: boolean,
): Version<Parameters>[] {
  for (const [parameter, value] of Object.entries(parameters)) {
    const law = Object.hasOwn(version.parameters, parameter) ? version.parameters[parameter] : undefined;
    const fault = faultOf(law, value, {
      choice: policy.tenant?.[parameter],
      bounds: policy.bounds?.[parameter],
    });
    if (fault !== null) throw new Error(`${policy.name}.${parameter} ${fault}`);
  }
  const by = {
    title: `The operator of this deployment: ${reason}`,
    number: null,
    date: istDate(new Date(at)),
  } as const;
  const changed: Version<Parameters> = {
    from: from ?? version.from,
    until: until === undefined ? version.until : until,
    parameters: { ...version.parameters, ...parameters },
    source: [{ ...by, seen: 'text' }, ...version.source],
    override: { reason, at },
  };
  const unfit = policy.unfit?.(changed.parameters) ?? null;
  if (unfit !== null) throw new Error(`${policy.name} from ${version.from}: ${unfit}`);
  if (last === undefined) return [changed];
  if (last < changed.from && !movesDay)
    throw new Error(
      `${policy.name} from ${version.from} expires on ${last}, before it begins on ${changed.from}`,
    );
  return untilExpiry(changed, version, last);
}

/** From the day after `last` on the law's version holds again, for as long as it would have. */
function untilExpiry(
  changed: Version<Parameters>,
  version: Version<Parameters>,
  last: string,
): Version<Parameters>[] {
  const again = addDays(last, 1) > version.from ? addDays(last, 1) : version.from;
  const until = changed.until !== null && changed.until < last ? changed.until : last;
  const isOver = version.until !== null && version.until < again;
  return [
    ...(last < changed.from ? [] : [{ ...changed, until }]),
    ...(isOver ? [] : [{ ...version, from: again }]),
  ];
}

/** Why a value does not fit in place of the law's, or null. A text is a word of the tenant's choice or times of day: code reads all others. */
function faultOf(
  law: Parameters[string] | undefined,
  value: string | number | boolean,
  {
    choice,
    bounds,
  }: {
    readonly choice: NonNullable<Policy['tenant']>[string];
    readonly bounds: readonly [least: number, most: number] | undefined;
  },
): string | null {
  if (law === undefined) return 'is not a parameter';
  if (typeof value !== typeof law)
    return `must be a ${Array.isArray(law) ? 'list, and cannot be overridden' : typeof law}`;
  if (typeof value === 'number') {
    if (!bounds) return 'cannot be overridden';
    const [least, most] = bounds;
    return value >= least && value <= most ? null : `must be from ${least} to ${most}`;
  }
  if (typeof value === 'boolean' || typeof law !== 'string') return null;
  if (typeof choice === 'object') {
    const words = [...new Set([law, ...choice])];
    return words.includes(value) ? null : `must be one of ${words.join(', ')}`;
  }
  const form = TIMES.find((times) => times.test(law));
  if (!form) return 'cannot be overridden';
  return form.test(value) ? null : `must be like ${law}`;
}
