import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { ChangePayment, type DecideOn, type PaymentKey, type Whole } from '../payment/change-payment.ts';
import { storeMandateTokens } from './authorisation/mandate-token.repository.ts';
import { lockCollection, saveCollection } from './collection.repository.ts';
import type { Collection } from './collection.ts';

/** Decides about the locked rows and the states of the payment's orders; it may read more in the same transaction. */
type Decide = DecideOn<Collection>;

const COLLECTION: Whole<Collection> = {
  lock: lockCollection,
  save: async (tx, before, outcome) => {
    await saveCollection(tx, before, outcome.payment);
    await storeMandateTokens(tx, outcome);
  },
};

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
  within(tx: Tx, key: PaymentKey, decide: Decide): Promise<Collection | null> {
    return this.payments.withinWhole(tx, key, decide, COLLECTION);
  }
}
