import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, known } from '../gatewaypoa/gateway-refusal.ts';
import { store } from '../store/simulator.tables.ts';
import { stepMandate, toMandateObject } from './mandate.ts';
import { drawNames } from './draw-names.ts';

/** Revokes a mandate at our request. An ended mandate is returned as it is. No callback: the caller learns the result from the response. */
@Injectable()
export class RevokeMandate {
  constructor(private readonly db: Database) {}

  execute(token: string): Promise<gatewaypoaWire.MandateObject> {
    return this.db.transaction(async (tx) => {
      const mandate = known(await store.mandates.lock(tx, { token }), token);
      const now = toMandateObject(mandate, tx.now);
      if (!now) throw new GatewayRefusal(422, 'not_authorised', `the mandate is ${mandate.status}`);
      if (now.status !== 'active' && now.status !== 'paused') return now;
      await store.mandates.save(tx, stepMandate(mandate, 'revoke', drawNames(mandate)));
      return { mandate_token: token, status: 'revoked' };
    });
  }
}
