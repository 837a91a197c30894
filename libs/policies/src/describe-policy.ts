import { ERRORS, type ErrorCode, type PolicyDto } from '@fundrail/contracts';
import { chosen, nearestVersion, versionOn, type Choice, type Policy } from './define-policy.ts';
import { refusalTexts } from './refusal-texts.ts';

/** A policy as `GET /v2/policies` returns it for a business date, and as `docs/policies.md` shows it: the version of that day, else the next, else the last (POL-3). */
export function describePolicy(policy: Policy, date: string, choice: Choice | null = null): PolicyDto {
  const { name, rule, versions, refusal } = policy;
  const inForce = versionOn(policy, date);
  const version = nearestVersion(policy, date);
  const tenant_parameters = chosen(policy, version.parameters, choice);
  return {
    object: 'policy',
    ...{ name, rule },
    state: inForce ? 'in_force' : version.from > date ? 'ahead' : 'ended',
    in_force_from: version.from,
    in_force_until: version.until,
    parameters: version.parameters,
    tenant_parameters,
    tenant_choice: choice,
    refusal: refusal && {
      ...refusalTexts(refusal, version.from, tenant_parameters),
      status: refusal.code in ERRORS ? ERRORS[refusal.code as ErrorCode].status : null,
    },
    source: [...version.source],
    override: version.override ?? null,
    applies_to: [...policy.applies_to],
    versions: versions.map(({ from, until, parameters, source }) => ({
      ...{ from, until, parameters },
      source: [...source],
    })),
  };
}
