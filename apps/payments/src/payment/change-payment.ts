import type { Tx } from '@fundrail/persistence';
import { reportJudged } from '@fundrail/policies';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { PAYMENT } from './payment.aggregate.ts';
import type { OrderStates } from './orders-of-payment.ts';
import { isCaptureOfAnother, lockPayment, type Locked } from './payment.repository.ts';
import { contradicted, type Outcome, type Payment, type Step } from './payment.ts';

export interface PaymentKey {
  readonly tenant: string;
  readonly id: number;
}
/** Decides about the locked payment and the states of its orders; it may read more in the same transaction. */
export type DecideOn<Of extends Payment> = (
  payment: Of,
  tx: Tx,
  states: OrderStates,
) => OutcomeOf<Of> | Promise<OutcomeOf<Of>>;
type OutcomeOf<Of extends Payment> = Outcome & { readonly payment: Of };

/** The only way to change a payment: lock, decide, write row, history, events and due work (CALL-8). */
@Injectable()
export class ChangePayment {
  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** In its own transaction. Returns the payment after the change, or null when there is none. */
  execute(key: PaymentKey, decide: DecideOn<Payment>): Promise<Payment | null> {
    return this.database.transaction((tx) => this.within(tx, key, decide));
  }

  /** In the transaction of a consumer, a callback or an idempotent request. */
  async within(tx: Tx, { tenant, id }: PaymentKey, decide: DecideOn<Payment>): Promise<Payment | null> {
    return this.ofLocked(tx, await lockPayment(tx, tenant, id), decide);
  }

  /** The same for a payment that this transaction has locked; `save` writes what it has besides the payment. */
  async ofLocked<Of extends Payment>(
    tx: Tx,
    locked: Locked<Of> | null,
    decide: DecideOn<Of>,
    save?: (tx: Tx, before: Of, outcome: OutcomeOf<Of>) => Promise<void>,
  ): Promise<Of | null> {
    if (!locked) return null;
    const { payment: before, states } = locked;
    const outcome = await onlyOwnCaptures(tx, before, await decide(before, tx, states));
    await this.record(tx, [[before, outcome]], async (one) => save?.(one, before, outcome));
    return outcome.payment;
  }

  /** Records decisions about payments that this transaction has created: nothing else sees them yet, so they need no lock. */
  async record(
    tx: Tx,
    decided: readonly (readonly [before: Payment, outcome: Outcome])[],
    beside?: (tx: Tx) => Promise<unknown>,
  ): Promise<void> {
    const changes = decided.map(([before, { steps, due }]) => ({ before, steps, due }));
    await PAYMENT.recordAll(tx, changes, beside);
    for (const [before, outcome] of decided) this.logOutcome(before, outcome);
  }

  private logOutcome(before: Payment, { payment, steps, contradiction }: Outcome): void {
    const about = { tenant: payment.tenant, payment_id: payment.id };
    if (contradiction)
      this.log.warn('a fact about a payment contradicts what is known', {
        ...about,
        contradiction,
        status: before.status,
      });
    for (const { reference, attempt } of payment.refunds.slice(before.refunds.length))
      if (attempt > 1)
        this.log.warn('a refund was refused and will be retried', { ...about, reference, attempt });
    for (const { trigger, from, row } of steps) {
      this.log.info('payment changed', { ...about, trigger, from, to: row.status });
      countPayer(trigger, row);
    }
  }
}

/** Who has paid is judged by the provider, and counted here, where it ends the payment or lets it succeed (POL-8). */
function countPayer(trigger: Step['trigger'], { failure_code }: Payment): void {
  if (trigger === 'succeed') reportJudged('third_party_payment', 'allowed');
  if (trigger === 'fail' && failure_code === 'tpv_failed') reportJudged('third_party_payment', 'refused');
}

/** A capture pays one payment only: a provider that reports it for a second one contradicts itself, and nothing changes. */
async function onlyOwnCaptures<Of extends Payment>(
  tx: Tx,
  before: Of,
  outcome: OutcomeOf<Of>,
): Promise<OutcomeOf<Of>> {
  for (const capture of outcome.payment.captures.slice(before.captures.length))
    if (await isCaptureOfAnother(tx, capture))
      return { ...contradicted(before, 'capture_of_another_payment'), payment: before };
  return outcome;
}
