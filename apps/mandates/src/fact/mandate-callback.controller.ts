import { callbacksTo } from '@fundrail/contracts';
import { callbackController } from '@fundrail/service-kit/http';
import { TakeMandateCallback } from './take-mandate-callback.ts';

/** The reports on mandates of the providers that have an address for them (GATE-6). */
export const mandateCallbacks = callbacksTo('mandates').map(({ provider, path, name }) =>
  callbackController(TakeMandateCallback, {
    path,
    from: name,
    summary: `Receive a report from ${provider} that a mandate was paused, resumed or ended`,
    description:
      'For the provider, not for clients. The signature over the raw body is checked, and a repeated report changes nothing.',
  }),
);
