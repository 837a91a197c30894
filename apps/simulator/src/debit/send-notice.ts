import { randomUUID } from 'node:crypto';
import { Decimal } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, known, mustBeSame } from '../gatewaypoa/gateway-refusal.ts';
import { mandateFault } from '../mandate/npci.ts';
import { store } from '../store/simulator.tables.ts';
import { isSameNotice, toNoticeObject, type NoticeRow } from './notice.ts';

type Notice = gatewaypoaWire.NoticeObject;

/** Sends the investor a notice of a coming debit, and withdraws such a notice. A repeated reference gets the same response. */
@Injectable()
export class SendNotice {
  constructor(private readonly db: Database) {}

  execute(request: gatewaypoaWire.NoticeRequest): Promise<Notice> {
    return this.db.transaction(async (tx) => {
      const notice = noticeOf(request, tx.now);
      const before = await store.notices.find(tx, { reference: request.reference });
      return toNoticeObject(before ? same(before, notice) : await sent(tx, notice));
    });
  }

  withdraw(noticeReference: string): Promise<Notice> {
    return this.db.transaction(async (tx) => {
      const ours = await store.notices.lock(tx, { notice_reference: noticeReference });
      const found = ours ?? (await store.notices.lock(tx, { reference: noticeReference }));
      const notice = known(found, noticeReference);
      const { notice_reference } = notice;
      if (await store.debits.find(tx, { notice_reference, status: ['processing', 'captured'] }))
        throw new GatewayRefusal(422, 'already_executed', 'a debit was already started on this notice');
      if (!notice.withdrawn) await store.notices.save(tx, { ...notice, withdrawn: true });
      return toNoticeObject({ ...notice, withdrawn: true });
    });
  }
}

async function sent(tx: Tx, notice: NoticeRow): Promise<NoticeRow> {
  const token = notice.mandate_token;
  const mandate = known(await store.mandates.find(tx, { token }), token);
  const fault = mandateFault(mandate, notice.amount, tx.now);
  if (fault) throw new GatewayRefusal(422, fault.code, fault.message);
  if (await store.notices.insertOnce(tx, notice)) return notice;
  const before = await store.notices.find(tx, { reference: notice.reference });
  return before ? same(before, notice) : notice;
}

function same(before: NoticeRow, notice: NoticeRow): NoticeRow {
  mustBeSame(isSameNotice(before, notice), 'reference belongs to another notice');
  return before;
}

function noticeOf(request: gatewaypoaWire.NoticeRequest, now: Date): NoticeRow {
  const { reference, payment_reference, mandate_token, tenant } = request;
  const { merchant = null, mandate_ref = null, reason = null } = request;
  return {
    notice_reference: `gpn_${randomUUID().replaceAll('-', '')}`,
    ...{ reference, payment_reference, mandate_token, tenant },
    ...{ amount: Decimal.ofPaise(request.amount_paise), execute_at: new Date(request.execute_at) },
    ...{ sent_at: now, withdrawn: false, opted_out: false, merchant, mandate_ref, reason },
  };
}
