import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { OrderClaims } from '../outside/claims-client.ts';
import { voidUnlessMade } from './payment-id.repository.ts';

/** Gives up a creation: first the id is made void, and only then, if no payment got ahead of it, the claim is freed. */
@Injectable()
export class VoidPayment {
  constructor(
    private readonly database: Database,
    private readonly claims: OrderClaims,
    private readonly log: Log,
  ) {}

  /** Never rejects: what could not be done here, orders does later by asking about the id (architecture §11). */
  async execute(tenant: string, id: number): Promise<void> {
    try {
      const [answer] = await voidUnlessMade(this.database, [id]);
      await passFaultPoint('payments.voided');
      if (answer?.kind === 'void') await this.claims.release(tenant, id);
    } catch (error) {
      this.log.error('a given-up claim is left to the sweep of orders', error, { tenant, payment_id: id });
    }
  }
}
