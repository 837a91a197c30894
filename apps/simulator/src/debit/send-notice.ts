import { randomUUID } from 'node:crypto';
import { Decimal } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, notKnownHere } from '../gatewaypoa/gateway-refusal.ts';
import { mandateFault } from '../mandate/npci.ts';
import { mandateOfToken } from '../mandate/mandate.repository.ts';
import { hasDebitOn } from './debit.repository.ts';
import { insertNotice, lockNotice, noticeOfReference, withdrawNotice } from './notice.repository.ts';
import { isSameNotice, toNoticeObject, type NoticeRow } from './notice.ts';

type Notice = gatewaypoaWire.NoticeObject;

/** Sends the investor a notice of a coming debit, and withdraws such a notice. A repeated reference gets the same response. */
@Injectable()
export class SendNotice {
  constructor(private readonly db: Database) {}

  execute(request: gatewaypoaWire.NoticeRequest): Promise<Notice> {
    return this.db.transaction(async (tx) => {
      const notice = noticeOf(request, tx.now);
      const before = await noticeOfReference(tx, request.reference);
      return toNoticeObject(before ? known(before, notice) : await sent(tx, notice));
    });
  }

  withdraw(noticeReference: string): Promise<Notice> {
    return this.db.transaction(async (tx) => {
      const notice = await lockNotice(tx, noticeReference);
      if (!notice) throw notKnownHere(noticeReference);
      if (await hasDebitOn(tx, notice.notice_reference))
        throw new GatewayRefusal(422, 'already_executed', 'a debit was already started on this notice');
      if (!notice.withdrawn) await withdrawNotice(tx, notice.notice_reference);
      return toNoticeObject({ ...notice, withdrawn: true });
    });
  }
}

async function sent(tx: Tx, notice: NoticeRow): Promise<NoticeRow> {
  const mandate = await mandateOfToken(tx, notice.mandate_token);
  if (!mandate) throw notKnownHere(notice.mandate_token);
  const fault = mandateFault(mandate, notice.amount, tx.now);
  if (fault) throw new GatewayRefusal(422, fault.code, fault.message);
  if (await insertNotice(tx, notice)) return notice;
  const before = await noticeOfReference(tx, notice.reference);
  return before ? known(before, notice) : notice;
}

function known(before: NoticeRow, notice: NoticeRow): NoticeRow {
  if (!isSameNotice(before, notice))
    throw new GatewayRefusal(422, 'idempotency_mismatch', 'that reference belongs to another notice');
  return before;
}

function noticeOf(request: gatewaypoaWire.NoticeRequest, now: Date): NoticeRow {
  const { reference, payment_reference, mandate_token, tenant } = request;
  return {
    notice_reference: `gpn_${randomUUID().replaceAll('-', '')}`,
    ...{ reference, payment_reference, mandate_token, tenant },
    ...{ amount: Decimal.ofPaise(request.amount_paise), execute_at: new Date(request.execute_at) },
    ...{ sent_at: now, withdrawn: false },
  };
}
