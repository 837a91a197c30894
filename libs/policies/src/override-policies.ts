import { addDays, type PolicyOverride } from '@fundrail/contracts';
import { definePolicy, type Parameters, type Policy, type Version } from './define-policy.ts';

const TIME = '([01]\\d|2[0-3]):[0-5]\\d';
/** Texts that are times of day: one as `nav_cut_off` has it, or windows as those of `autopay_windows`. */
const WINDOW = `${TIME}-(${TIME}|24:00)`;
const TIMES = [`^${TIME}$`, `^${WINDOW}(,${WINDOW})*$`].map((form) => new RegExp(form));
const LARGEST = 1_000_000_000_000;

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
    const versions = replaced(policy.versions, changed, overridden(policy, changed, override));
    after[name] = { ...policy, versions };
  }
  // At the end, because two entries may move the day between two versions.
  for (const [name, law] of Object.entries(registry)) mustCover(law, definePolicy(after[name] ?? law));
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

function replaced(
  [first, ...others]: Policy['versions'],
  old: Version<Parameters>,
  by: Version<Parameters>,
): Policy['versions'] {
  const swap = (version: Version<Parameters>) => (version === old ? by : version);
  return [swap(first), ...others.map(swap)];
}

function overridden(
  policy: Policy,
  version: Version<Parameters>,
  { from, until, parameters = {}, reason, at }: PolicyOverride,
): Version<Parameters> {
  for (const [parameter, value] of Object.entries(parameters)) {
    const law = Object.hasOwn(version.parameters, parameter) ? version.parameters[parameter] : undefined;
    const fault = faultOf(law, value, policy.tenant?.[parameter]);
    if (fault !== null) throw new Error(`${policy.name}.${parameter} ${fault}`);
  }
  return {
    ...version,
    from: from ?? version.from,
    until: until === undefined ? version.until : until,
    parameters: { ...version.parameters, ...parameters },
    override: { reason, at },
  };
}

/** Why a value does not fit in place of the law's, or null. A text is a word of the tenant's choice or times of day: code reads all others. */
function faultOf(
  law: Parameters[string] | undefined,
  value: string | number | boolean,
  choice: NonNullable<Policy['tenant']>[string],
): string | null {
  if (law === undefined) return 'is not a parameter';
  if (typeof value !== typeof law)
    return `must be a ${Array.isArray(law) ? 'list, and cannot be overridden' : typeof law}`;
  if (typeof value === 'number')
    return value >= 1 && value <= LARGEST ? null : `must be from 1 to ${LARGEST}`;
  if (typeof value === 'boolean' || typeof law !== 'string') return null;
  if (typeof choice === 'object') {
    const words = [...new Set([law, ...choice])];
    return words.includes(value) ? null : `must be one of ${words.join(', ')}`;
  }
  const form = TIMES.find((times) => times.test(law));
  if (!form) return 'cannot be overridden';
  return form.test(value) ? null : `must be like ${law}`;
}
