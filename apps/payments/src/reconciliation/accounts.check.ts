import { RECONCILIATION_PAGE } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { pageByNumber, ReconciliationCheck } from '@fundrail/service-kit/reconciliation';
import type { CheckPage, Finding, Window } from '@fundrail/service-kit/reconciliation';
import { Injectable } from '@nestjs/common';
import { AskAgain } from './ask-again.ts';
import { accountsOf, pageOfPayments, type Account } from './standing.repository.ts';

const PAID = new Set<Account['status']>(['SUCCESS', 'INITIATED', 'APPROVED']);

/** Checks what each payment received and refunded: a paid one keeps at most its amount, any other keeps nothing. */
@Injectable()
export class AccountsCheck extends ReconciliationCheck {
  readonly name = 'accounts';

  constructor(
    private readonly db: Database,
    private readonly ask: AskAgain,
  ) {
    super();
  }

  async page(cursor: string | null, { from }: Window): Promise<CheckPage> {
    const rows = await pageOfPayments(this.db, Number(cursor ?? 0), from);
    return pageByNumber(
      rows,
      RECONCILIATION_PAGE,
      ({ id }) => id,
      (all) => this.compare(all.filter(({ wanted }) => wanted).map(({ id }) => id)),
    );
  }

  again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    return this.compare(findings.map(({ object }) => Number(object)));
  }

  override repair({ object }: Finding): Promise<boolean> {
    return this.ask.aboutPayment(Number(object));
  }

  private async compare(ids: readonly number[]): Promise<readonly Finding[]> {
    return (await accountsOf(this.db, ids)).filter(isOff).map(finding);
  }
}

function isOff({ status, amount, received_amount, refunded_amount, captured }: Account): boolean {
  const left = received_amount.minus(refunded_amount);
  const most = PAID.has(status) ? amount : amount.minus(amount);
  return captured.compare(received_amount) !== 0 || left.compare(most) > 0;
}

function finding(account: Account): Finding {
  const { id, tenant, status, amount, received_amount, refunded_amount, captured } = account;
  const facts = {
    payment_status: status,
    amount: amount.toString(),
    captured: captured.toString(),
    received: received_amount.toString(),
    refunded: refunded_amount.toString(),
  };
  return { kind: 'money_not_accounted', object: String(id), tenant, facts };
}
