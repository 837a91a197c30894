import { constantTimeEqual } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import { cookieOf, type RequestHeaders } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import { PaymentsConfig } from '../../config.ts';
import { tenantOfPayment } from '../../payment/payment.repository.ts';
import { ChangeCollection } from '../change-collection.ts';
import { findCollection } from '../collection.repository.ts';
import { checkoutOf, still, type Collection } from '../collection.ts';
import { CHECKOUT_PATH } from './checkout-token.ts';
import { useToken, whyShut, type Shut } from './token-use.ts';

// As many bits as the stored hash.
const SESSION_BYTES = 32;
// Longer than any payment runs, so that a reload can show how it ended.
const COOKIE_SECONDS = 7200;

type Opening =
  /** `cookie` is the value of Set-Cookie. */
  | { readonly kind: 'opened'; readonly payment: Collection; readonly cookie: string }
  | { readonly kind: Shut };

/** Who may see a payment's page: the one browser whose first GET used the token up (PAGE-2). */
@Injectable()
export class PageSessions {
  constructor(
    private readonly change: ChangeCollection,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
  ) {}

  /** The payment, when the request has the cookie of its page; null otherwise. */
  async find(id: number, headers: RequestHeaders): Promise<Collection | null> {
    // Without the prefix: a page that the release before 0.2 has opened.
    const session = cookieOf(headers, this.cookieName(id)) ?? cookieOf(headers, plainName(id));
    const payment = session === null ? null : await this.payment(id);
    const hash = payment && checkoutOf(payment)?.session_hash;
    return hash && constantTimeEqual(hash, hashOf(session)) ? payment : null;
  }

  /** Uses up the token. Of two concurrent visits one opens the page, because the row is locked. */
  async open(id: number): Promise<Opening> {
    const tenant = await tenantOfPayment(this.database, id);
    if (tenant === null) return { kind: 'unknown' };
    const session = randomBytes(SESSION_BYTES).toString('base64url');
    const hash = hashOf(session);
    const seen: { shut: Shut | null } = { shut: null };
    const payment = await this.change.execute({ tenant, id }, (row, { now }) => {
      seen.shut = whyShut(row, now);
      return seen.shut ? still(row) : useToken(row, hash, now, this.config.times.fromCreationMs);
    });
    if (!payment || checkoutOf(payment)?.session_hash !== hash) return { kind: seen.shut ?? 'unknown' };
    return { kind: 'opened', payment, cookie: this.cookie(id, session) };
  }

  private async payment(id: number): Promise<Collection | null> {
    const tenant = await tenantOfPayment(this.database, id);
    return tenant === null ? null : findCollection(this.database, tenant, id);
  }

  /** Secure, except in a sandbox that is served over http: a browser would not send it back there. */
  private cookie(id: number, session: string): string {
    const where = this.isSecure ? 'Path=/; Secure' : `Path=${CHECKOUT_PATH}`;
    return `${this.cookieName(id)}=${session}; ${where}; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax`;
  }

  /**
   * One cookie for each payment, so that two can be paid at the same time in one browser. A browser accepts the prefix only from this host,
   * so a neighbouring host cannot put its own in front (RFC 6265bis §4.1.3.2).
   */
  private cookieName(id: number): string {
    return `${this.isSecure ? '__Host-' : ''}${plainName(id)}`;
  }

  private get isSecure(): boolean {
    const { sandbox, publicBaseUrl } = this.config;
    return !sandbox || !publicBaseUrl.startsWith('http:');
  }
}

function plainName(id: number): string {
  return `fundrail_checkout_${id}`;
}

function hashOf(session: string | null): string {
  return createHash('sha256')
    .update(session ?? '')
    .digest('hex');
}
