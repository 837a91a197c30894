import type { Log } from '../logging/log.ts';
import { BadEnvironment, type Environment } from './environment.ts';

/** Listed, and not found by their beginning: for a Service `swp` Kubernetes sets others that begin like that. */
const OF_PLANS = ['DATABASE_URL', 'URL', 'GENERATION_BATCH'] as const;

/**
 * The variables under their present names: until December 2027 those of `plans` are also read as `SWP_*` (decision 0053), each with a
 * warning. Throws `BadEnvironment` when a variable has different values under its two names.
 */
export function withPresentNames(env: Environment, log?: Pick<Log, 'warn'>): Environment {
  const given: Record<string, string | undefined> = { ...env };
  for (const what of OF_PLANS) {
    const [former, name] = [`SWP_${what}`, `PLANS_${what}`];
    if (!env[former]) continue;
    if (env[name] && env[name] !== env[former])
      throw new BadEnvironment(`${name} must be the same as ${former}, its former name, or stand alone`);
    log?.warn('a variable is read under its former name, until December 2027', { former, name });
    given[name] = env[former];
  }
  return given;
}
