import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { ChangePayment, type PaymentKey } from '../payment/change-payment.ts';
import { storeMandateTokens } from './authorisation/mandate-token.repository.ts';
import { collectionOf, saveCollection } from './collection.repository.ts';
import type { Collection, CollectionOutcome } from './collection.ts';

/** Decides about the locked rows; it may read more in the same transaction. */
type Decide = (payment: Collection, tx: Tx) => CollectionOutcome | Promise<CollectionOutcome>;

/** Changes a payment together with how it is asked for, under the payment's lock. */
@Injectable()
export class ChangeCollection {
  constructor(
    private readonly payments: ChangePayment,
    private readonly database: Database,
  ) {}

  /** In its own transaction. Returns the payment after the change, or null when there is none. */
  execute(key: PaymentKey, decide: Decide): Promise<Collection | null> {
    return this.database.transaction((tx) => this.within(tx, key, decide));
  }

  /** In the transaction of a consumer, a callback or an idempotent request. */
  async within(tx: Tx, key: PaymentKey, decide: Decide): Promise<Collection | null> {
    const seen: { decided: { before: Collection; outcome: CollectionOutcome } | null } = { decided: null };
    const payment = await this.payments.within(tx, key, async (row) => {
      const before = await collectionOf(tx, row);
      const outcome = await decide(before, tx);
      seen.decided = { before, outcome };
      return outcome;
    });
    if (!payment || !seen.decided) return null;
    const { before, outcome } = seen.decided;
    // The decision was dropped: it counted a capture of another payment.
    if (payment !== outcome.payment) return before;
    await saveCollection(tx, before, outcome.payment);
    await storeMandateTokens(tx, outcome);
    return outcome.payment;
  }
}
