import { addDays, ApiError, istInstant } from '@fundrail/contracts';
import type { FetchedPaymentDto, PaymentDto, PaymentFilters } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { pageOf } from '@fundrail/service-kit/http';
import type { PageOf } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { CheckoutAnswers } from './checkout-answers.ts';
import { PaymentRow } from './payment.entity.ts';
import { findPayment, withChildren } from './payment.repository.ts';
import { toPayment } from './payment.ts';

export type PaymentQuery = PaymentFilters & { readonly page: number; readonly size: number };

/** Reads of payments. Another tenant's payment is nobody's. */
@Injectable()
export class FindPayments {
  constructor(
    private readonly database: Database,
    private readonly answers: CheckoutAnswers,
  ) {}

  /** Throws 404. */
  async one(tenant: string, id: number): Promise<FetchedPaymentDto> {
    const payment = await findPayment(this.database, tenant, id);
    if (!payment) throw new ApiError('NOT_FOUND');
    return this.answers.fetched(payment, await this.database.now());
  }

  /** Newest first (contract §0 "Lists"). */
  async page(
    tenant: string,
    { page, size, ...filters }: PaymentQuery,
  ): Promise<PageOf<'payments', PaymentDto>> {
    const query = this.database.manager
      .createQueryBuilder(PaymentRow, 'p')
      .where('p.tenant = :tenant', { tenant });
    narrow(query, filters);
    const ordered = query.orderBy('p.created_at', 'DESC').addOrderBy('p.id', 'DESC');
    const [rows, total] = await ordered
      .skip(page * size)
      .take(size)
      .getManyAndCount();
    const payments = await withChildren(this.database, tenant, rows);
    return pageOf('payments', payments.map(toPayment), { page, size, total });
  }
}

const SHARE_OF =
  'EXISTS (SELECT FROM payment_orders o WHERE o.tenant = p.tenant AND o.payment_id = p.id AND o.old_id = ANY(:orders))';

function narrow(query: SelectQueryBuilder<PaymentRow>, filters: PaymentFilters): void {
  const { from, to, payment_type, payment_status, amc_order_ids, source_ref_id } = filters;
  if (from) query.andWhere('p.created_at >= :from', { from: istInstant(from) });
  if (to) query.andWhere('p.created_at < :until', { until: istInstant(addDays(to, 1)) });
  if (payment_type) query.andWhere('p.payment_type = :payment_type', { payment_type });
  if (payment_status) query.andWhere('p.status = :payment_status', { payment_status });
  if (source_ref_id) query.andWhere('p.source_ref_id = :source_ref_id', { source_ref_id });
  if (amc_order_ids) query.andWhere(SHARE_OF, { orders: amc_order_ids });
}
