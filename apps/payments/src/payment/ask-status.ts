import { Database } from '@fundrail/service-kit/db';
import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { AskProvider } from './ask-provider.ts';
import { IssueUpiUri } from './issue-upi-uri.ts';
import { SendCollect } from './send-collect.ts';
import { findPayment } from './payment.repository.ts';
import type { Payment } from './payment.ts';
import { unchanged } from './payment.ts';

/**
 * `payment.status`: asks how a payment stands, on the schedule of contract §2, in case a callback was lost: while it is
 * PENDING, and for three days after it FAILED, because a success may come late.
 */
@Injectable()
@HandlesDue('payment.status')
export class AskStatus implements DueHandler {
  readonly kind = 'payment.status';

  constructor(
    private readonly ask: AskProvider,
    private readonly issue: IssueUpiUri,
    private readonly collect: SendCollect,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
  ) {}

  async handle(work: DueWork): Promise<DueResult> {
    const payment = await findPayment(this.database, work.tenant, Number(work.key));
    if (payment?.status === 'PENDING') return this.pending(payment);
    if (payment?.status === 'FAILED') return this.failed(payment);
    return 'done';
  }

  private async pending(payment: Payment): Promise<DueResult> {
    const asked = await this.ask.status(payment);
    if (asked === 'not_found' && payment.uri_requested_at) await this.sendAgain(payment);
    return 'later';
  }

  private sendAgain(payment: Payment): Promise<DueResult> {
    return payment.upi_type === 'collect' ? this.collect.send(payment) : this.issue.send(payment);
  }

  private async failed(payment: Payment): Promise<DueResult> {
    const until = (payment.failed_at ?? payment.created_at).getTime() + this.config.watchFailedMs;
    if ((await this.database.now()).getTime() > until) return 'done';
    if (payment.provider_closed_at) await this.ask.status(payment);
    else await this.ask.close(payment, unchanged);
    return 'later';
  }
}
