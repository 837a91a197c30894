import type { PolicyOverride } from '@fundrail/contracts';
import { generateKeyPairSync, sign } from 'node:crypto';

const PAIR = generateKeyPairSync('ed25519');

/** The variables of a deployment that overrides policies, signed by a key of its own. */
export function signedOverrides(...overrides: readonly PolicyOverride[]): {
  readonly POLICY_OVERRIDES: string;
  readonly POLICY_OVERRIDES_KEY: string;
} {
  return {
    POLICY_OVERRIDES: signedAsOverrides({ issued_at: '2026-01-01T10:00:00.000+05:30', overrides }),
    POLICY_OVERRIDES_KEY: publicKey(),
  };
}

/** Any document, signed by the same key under a header. */
export function signedAsOverrides(document: unknown, header: unknown = { alg: 'EdDSA' }): string {
  const parts = [header, document].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = sign(null, Buffer.from(parts.join('.')), PAIR.privateKey);
  return [...parts, signature.toString('base64url')].join('.');
}

function publicKey(): string {
  return PAIR.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
}
