export * from './gatewaypoa-orders.adapter.ts';
export * from './gatewaypoa-mandates.adapter.ts';
export * from './gatewaypoa-payments.adapter.ts';
export * from './gatewaypoa-plans.adapter.ts';
export { SIGNATURE_HEADER, signCallback } from './signature.ts';
// The simulator speaks the other side of the same wire.
export * as gatewaypoaWire from './wire.ts';
