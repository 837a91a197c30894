import { callbacksTo } from '@fundrail/contracts';
import { DESCRIPTORS } from '@fundrail/providers';
import { callbackController } from '@fundrail/service-kit/http';
import { TakeCallback } from './take-callback.ts';

/** The callbacks of the payment providers, by their descriptors. */
export const paymentCallbacks = callbacksTo('payments').map(({ provider, path, name }) =>
  callbackController(TakeCallback, {
    path,
    from: name,
    summary: DESCRIPTORS[provider].reports,
    description:
      'For the provider, not for clients. The signature over the raw body is checked, and a repeated report has no further effect.',
  }),
);
