import { callbackController } from '@fundrail/service-kit/http';
import { TakeGatewayCallback } from './take-gateway-callback.ts';

/** The order gateway's notifications (GATE-7). */
export const GatewayCallbackController = callbackController(TakeGatewayCallback, {
  path: 'callbacks/gatewaypoa/orders',
  from: 'x-gatewaypoa-signature',
  summary: 'Receive a signed notification from the order gateway',
  description:
    'For the gateway, not for clients. The signature over the raw body is checked, and a repeated notification changes nothing.',
  noun: 'notification',
});
