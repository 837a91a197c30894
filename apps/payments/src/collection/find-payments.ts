import { found, type FetchedPaymentDto, type PaymentDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { pageOf, type PageOf } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { findPage, type PaymentQuery } from '../payment/payment-list.repository.ts';
import { withChildren } from '../payment/payment.repository.ts';
import { toPayment } from '../payment/payment.ts';
import { ShowAuthorisation } from './authorisation/show-authorisation.ts';
import { CheckoutAnswers } from './checkout/checkout-answers.ts';
import { findCollection } from './collection.repository.ts';

/** Reads payments. Another tenant's payment does not exist for the caller. */
@Injectable()
export class FindPayments {
  constructor(
    private readonly database: Database,
    private readonly answers: CheckoutAnswers,
    private readonly authorisations: ShowAuthorisation,
  ) {}

  /** Throws 404. */
  async one(tenant: string, id: number): Promise<FetchedPaymentDto> {
    const payment = found(await findCollection(this.database, tenant, id));
    return payment.authorisation
      ? this.authorisations.execute(payment)
      : this.answers.fetched(payment, await this.database.now());
  }

  /** Newest first, or oldest first with `direction: asc` (CONV-20, PAY-21). */
  async page(tenant: string, query: PaymentQuery): Promise<PageOf<'payments', PaymentDto>> {
    const { rows, total } = await findPage(this.database, tenant, query);
    const payments = await withChildren(this.database, [tenant], rows);
    return pageOf('payments', payments.map(toPayment), { page: query.page, size: query.size, total });
  }
}
