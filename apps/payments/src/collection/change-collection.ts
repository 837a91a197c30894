import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { ChangePayment, type DecideOn, type PaymentKey } from '../payment/change-payment.ts';
import { storeMandateTokens } from './authorisation/mandate-token.repository.ts';
import { lockCollection, saveCollection } from './collection.repository.ts';
import type { Collection } from './collection.ts';

/** Changes a payment together with how it is asked for, under the payment's lock. */
@Injectable()
export class ChangeCollection {
  constructor(
    private readonly payments: ChangePayment,
    private readonly database: Database,
  ) {}

  /** In its own transaction. Returns the payment after the change, or null when there is none. */
  execute(key: PaymentKey, decide: DecideOn<Collection>): Promise<Collection | null> {
    return this.database.transaction((tx) => this.within(tx, key, decide));
  }

  /** In the transaction of a consumer, a callback or an idempotent request. */
  async within(tx: Tx, key: PaymentKey, decide: DecideOn<Collection>): Promise<Collection | null> {
    const locked = await lockCollection(tx, key.tenant, key.id);
    return this.payments.ofLocked(tx, locked, decide, async (one, before, outcome) => {
      await saveCollection(one, before, outcome.payment);
      await storeMandateTokens(one, outcome);
    });
  }
}
