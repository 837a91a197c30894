export { constantTimeEqual, hmac, keyedHash } from './crypto/hashes.ts';
export { DataCipher, decrypt, encrypt } from './crypto/data-cipher.ts';
export { SealedKeys } from './crypto/sealed-keys.ts';
