import { constantTimeEqual, DataCipher } from '@fundrail/service-kit/crypto';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';

/** The path of the hosted page (PAGE-1). */
export const CHECKOUT_PATH = '/api/pg/payments/netbanking/sdkvendor';

/** Keeps these hashes apart from all others under the same key. */
const PURPOSE = 'checkout token';
const TOKEN = /^([1-9]\d{0,14})\.([A-Za-z0-9_-]{43})$/;

/**
 * The `txnId` of a `token_url`: the payment's id and an HMAC-SHA256 over it, in base64url, under a key derived from the first
 * secret of `DATA_ENCRYPTION_KEY`; a token made under another secret of the list is valid too. The token is not stored, and a GET
 * can show it again; only its use is stored.
 */
@Injectable()
export class CheckoutTokens {
  constructor(
    private readonly cipher: DataCipher,
    private readonly config: PaymentsConfig,
  ) {}

  checkoutToken(id: number): string {
    return `${id}.${this.cipher.keyedHash(signedText(id))}`;
  }

  /** The id of the payment that the token was made for, or null for an invalid token. Compares in constant time. */
  paymentOfToken(text: string): number | null {
    const id = Number(TOKEN.exec(text)?.[1] ?? 0);
    const isValid = this.cipher
      .keyedHashes(signedText(id))
      .map((hash) => constantTimeEqual(text, `${id}.${hash}`))
      .includes(true);
    return isValid && id > 0 ? id : null;
  }

  /** The whole address of the hosted page: the value of `token_url` (PAGE-1). */
  tokenUrl(id: number): string {
    return `${this.config.publicBaseUrl}${CHECKOUT_PATH}?txnId=${this.checkoutToken(id)}&txnType=payment`;
  }
}

function signedText(id: number): string {
  return `${PURPOSE} ${id}`;
}
