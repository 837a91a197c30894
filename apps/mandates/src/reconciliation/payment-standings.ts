import type { PaymentStanding } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { byKey, standingsOfPayments } from '@fundrail/service-kit/reconciliation';
import { Injectable } from '@nestjs/common';

export { standingName } from '@fundrail/service-kit/reconciliation';

/** The states of the payments that hold something here. */
@Injectable()
export class PaymentStandings {
  constructor(private readonly services: ServiceClient) {}

  /** Accepts at most a page. Throws when payments does not answer. */
  async of(paymentIds: readonly number[]): Promise<ReadonlyMap<number, PaymentStanding>> {
    return byKey(await standingsOfPayments(this.services, paymentIds), ({ payment_id }) => payment_id);
  }
}
