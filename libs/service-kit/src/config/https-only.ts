import { PROVIDER_IDS, providerUrlVariable } from '@fundrail/contracts';
import { BadEnvironment, type Environment } from './environment.ts';

/** Our own address, to which payers are sent and for which tokens are issued: never http. */
const OURS = ['PUBLIC_BASE_URL'] as const;
/** Addresses that are called with secrets and personal data. */
const CALLED = [...PROVIDER_IDS.map(providerUrlVariable), 'ACCESS_TOKEN_JWKS_URL'];
/** Names of this machine, where a proxy may add TLS for us. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Refuses http where secrets would be sent, for services outside the sandbox. Throws `BadEnvironment` naming the first such variable. */
export function refusePlainHttp(env: Environment): void {
  for (const name of OURS)
    if (isHttp(env[name])) throw new BadEnvironment(`${name} must start with https:// outside the sandbox`);
  for (const name of CALLED) refuseHttpTo(name, env[name]);
}

/** Refuses http to another machine, for the address of this variable. Throws `BadEnvironment` naming it. */
export function refuseHttpTo(name: string, address: string | undefined): void {
  const url = isHttp(address);
  if (url && !LOOPBACK.has(url.hostname))
    throw new BadEnvironment(
      `${name} must start with https:// outside the sandbox, unless it is this machine`,
    );
}

/** A text that is not a URL is refused by the schema of the service that reads it. */
function isHttp(text: string | undefined): URL | null {
  const url = text === undefined ? null : URL.parse(text);
  return url?.protocol === 'http:' ? url : null;
}
