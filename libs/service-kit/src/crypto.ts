export { constantTimeEqual, hmac, keyedHash } from './crypto/hashes.ts';
export { DataCipher, decrypt, encrypt } from './crypto/data-cipher.ts';
