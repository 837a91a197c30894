import type { ProviderName } from '@fundrail/contracts';
import { readOrRefuse, UnreadableCallback } from '@fundrail/providers';
import type { CallbackHeaders } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { MandateProviders } from '../outside/mandate-providers.ts';
import { LearnMandateFacts } from './learn-mandate-facts.ts';
import type { ProviderEvent } from './provider-event.repository.ts';

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

  /** Throws 400 when the signature does not match the raw body or the token cannot be read, and 503 when the provider has to retry. */
  async execute(headers: CallbackHeaders, rawBody: string, provider: ProviderName): Promise<void> {
    const { event_id, mandate_token, state, terms } = await readOrRefuse(
      () =>
        this.providers.of(provider)?.readMandateCallback?.(headers, rawBody) ?? reportsElsewhere(provider),
      this.providers.signatureHeaderOf(provider),
      'mandate',
    );
    await this.take({ provider_name: provider, event_id, mandate_token, state, ...(terms && { terms }) });
  }

  /** Applies a report that another address of ours received, before that address answers. The same event again changes nothing. */
  async take(event: ProviderEvent): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.learn.execute(tx, event);
      await passFaultPoint('mandates.callback.before_commit');
    });
    await passFaultPoint('mandates.callback.committed');
  }
}

function reportsElsewhere(provider: ProviderName): never {
  throw new UnreadableCallback(`${provider} has no address for mandates`);
}
