import { sql } from '@fundrail/persistence';
import { CountedDeadlines } from '@fundrail/service-kit/holidays';
import { Injectable } from '@nestjs/common';
import { confirmationDeadline, ORDER_DUE } from './order-due.ts';

const expiryPage = sql(
  'due_work.order_expiry_page',
  `SELECT w.key, w.tenant, w.due_at, o.review_completed_at AS counted_from
     FROM due_work w JOIN mf_orders o ON o.id = w.key
    WHERE w.kind = '${ORDER_DUE.expire}' AND w.key > $1 AND o.review_completed_at IS NOT NULL
    ORDER BY w.key LIMIT ${CountedDeadlines.page} FOR UPDATE OF w`,
);

/** `order_expiry` follows the holiday list. */
@Injectable()
export class OrderDeadlines extends CountedDeadlines {
  readonly all = [{ kind: ORDER_DUE.expire, page: expiryPage, deadline: confirmationDeadline }];
}
