import { istDate, policyOverrides, type PolicyOverride, type PolicyOverrides } from '@fundrail/contracts';
import { usePolicies } from '@fundrail/policies';
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { BadEnvironment, type Environment } from './environment.ts';

const SIGNED = 'POLICY_OVERRIDES';
const KEY = 'POLICY_OVERRIDES_KEY';
/** Three parts of base64url: header, document, signature. */
const JWS = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/**
 * The overrides of policies for the deployment: `POLICY_OVERRIDES`, a JWS in compact form with Ed25519, by the key
 * `POLICY_OVERRIDES_KEY`. Throws `BadEnvironment` when it is not signed by that key or is not understood (POL-11).
 */
function readPolicyOverrides(env: Environment): PolicyOverrides | null {
  const signed = env[SIGNED] ?? '';
  if (signed === '') return null;
  const [, header, body, signature] = JWS.exec(signed) ?? [];
  if (header === undefined || body === undefined || signature === undefined)
    throw new BadEnvironment(`${SIGNED} must be a JWS in compact form`);
  const { alg, crit } = jsonOf(header) as { alg?: unknown; crit?: unknown };
  // RFC 7515, 4.1.11: an extension that is not understood is refused.
  if (crit !== undefined) throw new BadEnvironment(`${SIGNED} must have no \`crit\` in its header`);
  if (alg !== 'EdDSA') throw new BadEnvironment(`${SIGNED} must be signed with the algorithm EdDSA`);
  const isSigned = verify(
    null,
    Buffer.from(`${header}.${body}`),
    keyOf(env),
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new BadEnvironment(`${SIGNED} is not signed by the key ${KEY}`);
  const { success, data, error } = policyOverrides.safeParse(jsonOf(body));
  if (success) return data;
  const [issue] = error.issues;
  throw new BadEnvironment(`${SIGNED}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

/** Uses the policies with the overrides of the deployment in this process, and returns their document, null without one. Throws `BadEnvironment`. */
export function applyPolicyOverrides(env: Environment): PolicyOverrides | null {
  const document = readPolicyOverrides(env);
  try {
    usePolicies(document?.overrides ?? []);
  } catch (error) {
    throw new BadEnvironment(`${SIGNED}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return document;
}

/** Whether the last day of an override is over, by the computer's clock. */
export function hasExpired({ expires_on: last }: PolicyOverride): boolean {
  return last !== undefined && last < istDate(new Date());
}

/** A public key as OpenSSL writes it in DER, in base64 on one line. */
function keyOf(env: Environment): KeyObject {
  const text = env[KEY] ?? '';
  if (text === '') throw new BadEnvironment(`${KEY} is required: ${SIGNED} is verified by it`);
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The same answer as for another kind of key.
  }
  throw new BadEnvironment(`${KEY} must be an Ed25519 public key, as DER in base64`);
}

function jsonOf(part: string): object {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The same answer as for another value.
  }
  throw new BadEnvironment(`${SIGNED} must have JSON objects in its first two parts`);
}
