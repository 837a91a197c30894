import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { Holds } from '../outside/holds.ts';
import type { Holding } from '../outside/holds.ts';
import { voidUnlessMade } from './payment-id.repository.ts';

/** Gives up a creation: first the id is made void, and only then, if no payment got ahead of it, what it holds is freed. */
@Injectable()
export class VoidPayment {
  constructor(
    private readonly database: Database,
    private readonly holds: Holds,
    private readonly log: Log,
  ) {}

  /** Never rejects: what could not be done here, the neighbours do later by asking about the id (architecture §11). */
  async execute(held: Holding): Promise<void> {
    const { tenant, id } = held;
    try {
      const [answer] = await voidUnlessMade(this.database, [id]);
      await passFaultPoint('payments.voided');
      if (answer?.kind === 'void') await this.holds.release(held);
    } catch (error) {
      this.log.error('a given-up claim is left to the sweeps of the neighbours', error, {
        tenant,
        payment_id: id,
      });
    }
  }
}
