import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { tenantOfPayment } from '../../payment/payment.repository.ts';
import { findCollection } from '../collection.repository.ts';
import type { Collection } from '../collection.ts';
import { upiLimitRefusal } from '../upi/upi-policies.ts';
import { offersWay } from './attempt.ts';
import { BeginAttempt } from './begin-attempt.ts';
import type { Closed } from './closed-page.view.ts';
import { PageSessions } from './page-session.ts';
import { ShowCheckout } from './show-checkout.ts';
import { whyShut } from './token-use.ts';
import type { Visit } from './visit.ts';
import type { Visitor } from './visitor.ts';

/** A page that was opened, and the cookie that may open it again. */
interface OpenedPage {
  readonly payment: Collection;
  readonly cookie: string;
}

/** The page for each visit that does not use up the token. */
const PAGE_OF_VISIT = {
  head: 'asked_about',
  prefetch: 'fetched_ahead',
  embedded: 'not_opened',
} as const satisfies Record<Exclude<Visit, 'opens'>, Closed>;

/** A visit without the page's cookie. The first one opens the page, and gets a QR code where UPI is offered. */
@Injectable()
export class FirstVisit {
  constructor(
    private readonly sessions: PageSessions,
    private readonly begin: BeginAttempt,
    private readonly showing: ShowCheckout,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
  ) {}

  /** Throws 503 when a service that the page needs does not answer. The token stays valid then. */
  async execute(id: number, visit: Visit, visitor: Visitor): Promise<OpenedPage | Closed> {
    if (visit !== 'opens') return PAGE_OF_VISIT[visit];
    const tenant = await tenantOfPayment(this.database, id);
    const found = tenant === null ? null : await findCollection(this.database, tenant, id);
    if (tenant === null || !found) return 'unknown';
    // A closed link gives its page even when identity does not answer.
    const shut = whyShut(found, await this.database.now());
    if (shut) return shut;
    const { settings } = await this.showing.prepare(found);
    const opening = await this.sessions.open(id);
    if (opening.kind !== 'opened') return opening.kind;
    const { payment, cookie } = opening;
    const now = await this.database.now();
    const source = { db: this.database, times: this.config.times };
    const limited = await upiLimitRefusal(source, payment, settings, now);
    if (limited || !offersWay(payment, 'intent')) return { payment, cookie };
    // Without an answer the page offers a button for it.
    await this.begin.execute(payment, { way: 'intent' }, visitor);
    return { payment: (await findCollection(this.database, tenant, id)) ?? payment, cookie };
  }
}
