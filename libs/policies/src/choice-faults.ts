import type { FieldError } from '@fundrail/contracts';
import type { Choice, Policy } from './define-policy.ts';
import { policiesInUse } from './judge.ts';

/** Why operators may not choose this for a tenant: nothing else than what the policy leaves open, and nothing laxer than its newest version (POL-7). */
export function choiceFaults(name: string, choice: Choice): FieldError[] {
  const policy = policiesInUse().find((known) => known.name === name);
  const field = `policies.${name}`;
  if (!policy?.tenant) return [{ field, message: 'is not a policy with a choice' }];
  const { tenant, versions } = policy;
  const law = (versions.at(-1) ?? versions[0]).parameters;
  return Object.entries(choice).flatMap(([parameter, wanted]) => {
    const direction = Object.hasOwn(tenant, parameter) ? tenant[parameter] : undefined;
    const message = faultOf(direction, law[parameter], wanted);
    return message === null ? [] : [{ field: `${field}.${parameter}`, message }];
  });
}

/** What is free is still read by code: words, separated by commas. */
const WORDS = /^[a-z0-9]+(,[a-z0-9]+)*$/;

function faultOf(
  direction: NonNullable<Policy['tenant']>[string],
  law: Policy['versions'][0]['parameters'][string] | undefined,
  wanted: Choice[string],
): string | null {
  if (direction === undefined || law === undefined) return 'is not a parameter with a choice';
  if (typeof wanted !== typeof law) return `must be a ${typeof law}`;
  if (typeof direction === 'object')
    return direction.includes(String(wanted)) ? null : `must be one of ${direction.join(', ')}`;
  if (typeof wanted === 'string' && !WORDS.test(wanted))
    return 'must be words of small letters and digits, separated by commas';
  if (typeof wanted !== 'number' || typeof law !== 'number') return null;
  if (direction === 'at_most' && wanted > law) return `must be at most ${law}`;
  if (direction === 'at_most' && wanted < 1) return 'must be at least 1';
  return direction === 'at_least' && wanted < law ? `must be at least ${law}` : null;
}
