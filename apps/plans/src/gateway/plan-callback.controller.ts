import { callbackController } from '@fundrail/service-kit/http';
import { TakePlanCallback } from './take-plan-callback.ts';

/** The order gateway's notifications about plans (GATE-7). */
export const PlanCallbackController = callbackController(TakePlanCallback, {
  path: 'callbacks/gatewaypoa/plans',
  from: 'x-gatewaypoa-signature',
  summary: 'Receive a signed notification from the order gateway about a plan',
  description:
    'Authenticated by the signature over the raw body, without a token. Sending the same notification again changes nothing.',
  noun: 'notification',
});
