import { RECONCILIATION_PAGE, type PaymentStanding } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import {
  pageByNumber,
  ReconciliationCheck,
  type CheckPage,
  type Finding,
  type Window,
} from '@fundrail/service-kit/reconciliation';
import { Injectable } from '@nestjs/common';
import { PaymentStandings, standingName } from './payment-standings.ts';
import { checkDebitAt, debitsNamed, pageOfDebits, type HeldDebit } from './standing.repository.ts';

const OPEN = new Set(['PENDING', 'SUBMITTED']);
const DEAD = new Set(['FAILED', 'REJECTED', 'void', 'nothing']);

/** Compares the debits admitted here with their payments. */
@Injectable()
export class DebitsCheck extends ReconciliationCheck {
  readonly name = 'debits';

  constructor(
    private readonly db: Database,
    private readonly payments: PaymentStandings,
  ) {
    super();
  }

  async page(cursor: string | null, { from }: Window): Promise<CheckPage> {
    const rows = await pageOfDebits(this.db, Number(cursor ?? 0), from);
    return pageByNumber(
      rows,
      RECONCILIATION_PAGE,
      ({ payment_id }) => payment_id,
      (all) => this.compare(all.filter(({ wanted }) => wanted)),
    );
  }

  async again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    return this.compare(
      await debitsNamed(
        this.db,
        findings.map(({ object }) => Number(object)),
      ),
    );
  }

  /**
   * The sweep asks payments and releases dead debits. A debit whose payment is unknown there is not repaired: the sweep would make
   * the id void, but the provider may have executed the debit before payments lost the payment.
   */
  override async repair({ object, facts }: Finding): Promise<boolean> {
    if (facts['payment_status'] === 'nothing') return false;
    return checkDebitAt(this.db, Number(object), await this.db.now());
  }

  private async compare(debits: readonly HeldDebit[]): Promise<readonly Finding[]> {
    const payments = await this.payments.of(debits.map(({ payment_id }) => payment_id));
    return debits
      .filter((debit) => !agree(debit, payments.get(debit.payment_id)))
      .map((debit) => ({
        kind: 'debit_differs_at_mandates',
        object: String(debit.payment_id),
        tenant: debit.tenant,
        facts: {
          mandate_id: debit.mandate_id,
          debit: debit.state,
          payment_status: standingName(payments.get(debit.payment_id)),
        },
      }));
  }
}

function agree({ state }: HeldDebit, payment: PaymentStanding | undefined): boolean {
  const status = standingName(payment);
  if (state === 'admitted') return OPEN.has(status);
  if (state === 'succeeded') return !DEAD.has(status) && !OPEN.has(status);
  return DEAD.has(status);
}
