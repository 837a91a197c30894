import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { findPayment, tenantOfPayment } from '../payment/payment.repository.ts';
import type { Payment } from '../payment/payment.ts';
import { offersWay } from './attempt.ts';
import { BeginAttempt } from './begin-attempt.ts';
import type { Closed } from './closed-page.view.ts';
import { PageSessions } from './page-session.ts';
import { ShowCheckout } from './show-checkout.ts';
import type { Visit } from './visit.ts';
import type { Visitor } from './visitor.ts';

/** A page that was opened, and the cookie that may open it again. */
export interface OpenedPage {
  readonly payment: Payment;
  readonly cookie: string;
}

/** What is answered to those who do not use the token up. */
const LEFT_ALONE = {
  head: 'asked_about',
  prefetch: 'fetched_ahead',
  embedded: 'not_opened',
} as const satisfies Record<Exclude<Visit, 'opens'>, Closed>;

/** A visit of somebody without the page's cookie: the first one opens it, and gets a QR code where UPI is offered. */
@Injectable()
export class FirstVisit {
  constructor(
    private readonly sessions: PageSessions,
    private readonly begin: BeginAttempt,
    private readonly showing: ShowCheckout,
    private readonly database: Database,
  ) {}

  /** Throws 503, with the token still good, when a part that the page needs does not answer. */
  async execute(id: number, visit: Visit, visitor: Visitor): Promise<OpenedPage | Closed> {
    if (visit !== 'opens') return LEFT_ALONE[visit];
    const tenant = await tenantOfPayment(this.database, id);
    const found = tenant === null ? null : await findPayment(this.database, tenant, id);
    if (tenant === null || !found) return 'unknown';
    await this.showing.prepare(found);
    const opening = await this.sessions.open(id);
    if (opening.kind !== 'opened') return opening.kind;
    const { payment, cookie } = opening;
    if (!offersWay(payment, 'intent')) return { payment, cookie };
    // Without an answer the page offers a button for it.
    await this.begin.execute(payment, { way: 'intent' }, visitor);
    return { payment: (await findPayment(this.database, tenant, id)) ?? payment, cookie };
  }
}
