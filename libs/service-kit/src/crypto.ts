export { constantTimeEqual, hmac, keyedHash } from './crypto/hashes.ts';
export type { Cell } from './crypto/cell.ts';
export { DataCipher, Undecryptable } from './crypto/data-cipher.ts';
export { SealedKeys, type Sealed } from './crypto/sealed-keys.ts';
