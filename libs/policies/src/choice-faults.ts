import { istDate, type FieldError } from '@fundrail/contracts';
import { nearestVersion, type Choice, type Policy } from './define-policy.ts';
import { policiesInUse } from './judge.ts';

/** Why operators may not choose this for a tenant: nothing else than what the policy leaves open, and nothing laxer than the version of that day (POL-7). */
export function choiceFaults(name: string, choice: Choice, now: Date): FieldError[] {
  const policy = policiesInUse().find((known) => known.name === name);
  const field = `policies.${name}`;
  if (!policy?.tenant) return [{ field, message: 'is not a policy with a choice' }];
  const { tenant, bounds } = policy;
  const law = nearestVersion(policy, istDate(now)).parameters;
  return Object.entries(choice).flatMap(([parameter, wanted]) => {
    const message = Object.hasOwn(tenant, parameter)
      ? faultOf(tenant[parameter], { law: law[parameter], bounds: bounds?.[parameter] }, wanted)
      : NOT_OPEN;
    return message === null ? [] : [{ field: `${field}.${parameter}`, message }];
  });
}

const NOT_OPEN = 'is not a parameter with a choice';
/** What is free is still read by code: words, separated by commas. */
const WORDS = /^[a-z0-9]+(,[a-z0-9]+)*$/;

function faultOf(
  direction: NonNullable<Policy['tenant']>[string],
  {
    law,
    bounds: [least, most] = [-Infinity, Infinity],
  }: {
    readonly law: Policy['versions'][0]['parameters'][string] | undefined;
    readonly bounds: NonNullable<Policy['bounds']>[string];
  },
  wanted: Choice[string],
): string | null {
  if (direction === undefined || law === undefined) return NOT_OPEN;
  if (typeof wanted !== typeof law) return `must be a ${typeof law}`;
  if (typeof direction === 'object')
    return direction.includes(String(wanted)) ? null : `must be one of ${direction.join(', ')}`;
  if (typeof wanted === 'string' && !WORDS.test(wanted))
    return 'must be words of small letters and digits, separated by commas';
  if (typeof wanted !== 'number' || typeof law !== 'number') return null;
  if (direction === 'at_most' && wanted > law) return `must be at most ${law}`;
  if (direction === 'at_least' && wanted < law) return `must be at least ${law}`;
  if (wanted < least) return `must be at least ${least}`;
  return wanted > most ? `must be at most ${most}` : null;
}
