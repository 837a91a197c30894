import { CallbackUnresolved, refuseCallback } from '@fundrail/providers';
import type { CallbackHeaders, MandateCallback } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { MandateProviders } from '../outside/mandate-providers.ts';
import { LearnMandateFacts } from './learn-mandate-facts.ts';
import type { ProviderEvent } from './provider-event.repository.ts';

const PROVIDER = 'GATEWAYPOA';
const SIGNATURE_HEADER = 'x-gatewaypoa-signature';

/**
 * Receives a provider's notification about a mandate: checks its signature, then stores its event id and its effect in one
 * transaction.
 */
@Injectable()
export class TakeMandateCallback {
  constructor(
    private readonly database: Database,
    private readonly providers: MandateProviders,
    private readonly learn: LearnMandateFacts,
  ) {}

  /**
   * Throws 400 when the signature does not match the raw body or the token cannot be read, and 503 when the provider has to retry.
   */
  async execute(headers: CallbackHeaders, rawBody: string): Promise<void> {
    const { event_id, mandate_token, state } = await this.read(headers, rawBody);
    await this.take({ provider_name: PROVIDER, event_id, mandate_token, state });
  }

  /** Applies a report that another address of ours received, before that address answers. The same event again changes nothing. */
  async take(event: ProviderEvent): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.learn.execute(tx, event);
      await passFaultPoint('mandates.callback.before_commit');
    });
    await passFaultPoint('mandates.callback.committed');
  }

  private async read(headers: CallbackHeaders, rawBody: string): Promise<MandateCallback> {
    const provider = this.providers.of(PROVIDER);
    try {
      if (!provider) throw new CallbackUnresolved(`no adapter for ${PROVIDER} yet`);
      return await provider.readMandateCallback(headers, rawBody);
    } catch (error) {
      return refuseCallback(error, SIGNATURE_HEADER, 'mandate');
    }
  }
}
