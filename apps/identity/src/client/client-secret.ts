import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/**
 * scrypt with N = 2^14, r = 8, p = 1: each guess costs 16 MiB and about 30 ms of one core. Its paper gives this cost for
 * interactive use. OWASP's higher cost (2^17, 128 MiB) is for passwords that people choose; our secrets have 256 random bits. The
 * token endpoint may cache nothing and still has to stay usable.
 */
const COST = { N: 2 ** 14, r: 8, p: 1 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** A hash of the secret that contains its own cost, `scrypt$N$r$p$salt$hash`, so that the cost can be raised later. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(secret, salt, HASH_BYTES, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Compares in a time that reveals nothing about the hash. */
export async function verifySecret(secret: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = stored.split('$');
  const expected = Buffer.from(hash, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(secret, Buffer.from(salt, 'base64url'), expected.length || HASH_BYTES, cost);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A hash that no secret matches. An unknown client takes the same time as a wrong secret, so that client ids cannot be guessed. */
export const UNMATCHABLE_HASH = [
  'scrypt',
  COST.N,
  COST.r,
  COST.p,
  'AAAAAAAAAAAAAAAAAAAAAA',
  'A'.repeat(43),
].join('$');
