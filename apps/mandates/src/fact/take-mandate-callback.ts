import { ApiError, ValidationFailed } from '@fundrail/contracts';
import { BadSignature, CallbackUnresolved, UnreadableCallback } from '@fundrail/providers';
import type { CallbackHeaders, MandateCallback } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { MandateProviders } from '../outside/mandate-providers.ts';
import { LearnMandateFacts } from './learn-mandate-facts.ts';

const PROVIDER = 'GATEWAYPOA';
const SIGNATURE_HEADER = 'x-gatewaypoa-signature';

/** gatewaypoa's notification about a mandate: signature, event id and effect, the latter two in one transaction. */
@Injectable()
export class TakeMandateCallback {
  constructor(
    private readonly database: Database,
    private readonly providers: MandateProviders,
    private readonly learn: LearnMandateFacts,
  ) {}

  /** Throws 400 when the signature does not fit the raw body or not even the token can be read, 503 when it has to come again. */
  async execute(headers: CallbackHeaders, rawBody: string): Promise<void> {
    const { event_id, mandate_token, state } = await this.read(headers, rawBody);
    await this.database.transaction(async (tx) => {
      await this.learn.execute(tx, { provider_name: PROVIDER, event_id, mandate_token, state });
      await passFaultPoint('mandates.callback.before_commit');
    });
    await passFaultPoint('mandates.callback.committed');
  }

  private async read(headers: CallbackHeaders, rawBody: string): Promise<MandateCallback> {
    const provider = this.providers.of(PROVIDER);
    if (!provider) throw comeAgain();
    try {
      return await provider.readMandateCallback(headers, rawBody);
    } catch (error) {
      if (error instanceof BadSignature)
        throw new ValidationFailed([{ field: SIGNATURE_HEADER, message: 'does not sign this body' }]);
      if (error instanceof UnreadableCallback)
        throw new ValidationFailed([{ field: 'mandate', message: 'cannot be read' }]);
      if (error instanceof CallbackUnresolved) throw comeAgain();
      throw error;
    }
  }
}

function comeAgain(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', undefined, [], 5);
}
