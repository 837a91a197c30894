import { constantTimeEqual, DataCipher } from '@fundrail/service-kit/crypto';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';

/** Where the hosted page is (contract §3). */
export const CHECKOUT_PATH = '/api/pg/payments/netbanking/sdkvendor';

/** Keeps these hashes apart from all others under the same key. */
const PURPOSE = 'checkout token';
const TOKEN = /^([1-9]\d{0,14})\.([A-Za-z0-9_-]{43})$/;

/**
 * The `txnId` of a `token_url`: the payment's id and an HMAC-SHA256 over it, in base64url, under a key derived from the first
 * secret of `DATA_ENCRYPTION_KEY`; one made under another secret of the list is as good. Nothing is stored for it, so that a GET
 * can show it again; what is stored is that it was used.
 */
@Injectable()
export class CheckoutTokens {
  constructor(
    private readonly cipher: DataCipher,
    private readonly config: PaymentsConfig,
  ) {}

  checkoutToken(id: number): string {
    return `${id}.${this.cipher.keyedHash(wordsFor(id))}`;
  }

  /** The payment that the token was made for, or null when it is none of ours. Tells nothing by the time it takes. */
  paymentOfToken(text: string): number | null {
    const id = Number(TOKEN.exec(text)?.[1] ?? 0);
    const fits = this.cipher
      .keyedHashes(wordsFor(id))
      .map((hash) => constantTimeEqual(text, `${id}.${hash}`))
      .includes(true);
    return fits && id > 0 ? id : null;
  }

  /** The whole address of the hosted page: what `token_url` answers (contract §3). */
  tokenUrl(id: number): string {
    return `${this.config.publicBaseUrl}${CHECKOUT_PATH}?txnId=${this.checkoutToken(id)}&txnType=payment`;
  }
}

function wordsFor(id: number): string {
  return `${PURPOSE} ${id}`;
}
