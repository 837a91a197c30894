import { ApiError, found, type AskedNow } from '@fundrail/contracts';
import { upiQuestionAllowedFrom } from '@fundrail/policies';
import { Database } from '@fundrail/service-kit/db';
import { askNow, type QuestionNow } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { isClosing } from '../collection/ask-status.ts';
import { findCollection, lockCollection } from '../collection/collection.repository.ts';
import type { Collection } from '../collection/collection.ts';
import { UpiQuestions } from '../collection/upi/upi-questions.ts';
import { Mandates } from '../outside/mandates-client.ts';
import type { PaymentKey } from '../payment/change-payment.ts';
import type { DueKind } from '../payment/payment.ts';
import { COLLECTION_WORK } from './payment-trace.ts';

type Work = { readonly kind: DueKind; readonly key: string };

/** `POST /admin/payments/:id/ask`: makes the due work that asks outside about a payment due at once. It makes no call itself. */
@Injectable()
export class AskPayment {
  constructor(
    private readonly database: Database,
    private readonly questions: UpiQuestions,
    private readonly mandates: Mandates,
  ) {}

  /**
   * Throws 404; 409 `ILLEGAL_TRANSITION` when nothing is asked about it any more; 429 within a minute, and by UPI when
   * `upi_status_enquiry` allows no question yet; 503 when it is a debit and mandates does not answer.
   */
  async execute(key: PaymentKey): Promise<AskedNow> {
    const payment = found(await findCollection(this.database, key.tenant, key.id));
    if (isCarriedOut(payment)) {
      const answer = await this.mandates.askDebit(key.tenant, key.id);
      if (!answer) throw ended(payment);
      return answer;
    }
    return this.database.transaction(async (tx) => {
      const locked = found(await lockCollection(tx, key.tenant, key.id));
      const row = locked.payment;
      const { works, otherwise } = worksOf(row);
      const isQuestion = works.some(({ kind }) => kind === 'payment.status') && !isClosing(row);
      const byUpi = isQuestion ? await this.questions.about(tx, row) : null;
      const rule = byUpi && { allowedFrom: () => upiQuestionAllowedFrom(byUpi, tx.now) };
      const asked = works.length > 0 ? await askNow(tx, { payment: row, works, otherwise, ...rule }) : [];
      if (asked.length === 0) throw ended(row);
      return { asked };
    });
  }
}

/** Whether mandates asks about it: a debit without its result. */
function isCarriedOut({ payment_type, status }: Collection): boolean {
  return payment_type === 'NACH' && (status === 'PENDING' || status === 'SUBMITTED');
}

/** The work about money that is to go on or back, otherwise about money that is to come. Of a FAILED payment only what is planned. */
function worksOf(payment: Collection): Pick<QuestionNow, 'works' | 'otherwise'> {
  const { id, status, refunds } = payment;
  const ofPayment = (kind: DueKind): Work => ({ kind, key: String(id) });
  const open = refunds
    .filter((refund) => refund.status === 'CREATED')
    .map(({ reference }): Work => ({ kind: 'payment.refund', key: reference }));
  const isMoving = status === 'SUCCESS' || status === 'INITIATED';
  const moving = isMoving ? [ofPayment('payment.transfer'), ...open] : open;
  if (moving.length > 0) return { works: moving, otherwise: moving[0] ?? null };
  const isOpen = status === 'PENDING' || status === 'SUBMITTED';
  return {
    works: isOpen || status === 'FAILED' ? COLLECTION_WORK.map(ofPayment) : [],
    otherwise: isOpen ? ofPayment('payment.status') : null,
  };
}

function ended({ status }: Collection): ApiError {
  const message = `The payment is ${status}, and nothing is asked about it.`;
  return new ApiError('ILLEGAL_TRANSITION', message);
}
