export * from './gatewaypoa-orders.adapter.ts';
export * from './gatewaypoa-mandates.adapter.ts';
export * from './gatewaypoa-payments.adapter.ts';
export * from './gatewaypoa-plans.adapter.ts';
export { GATEWAYPOA_MONEY_BY } from './money-by.ts';
export { gatewaypoaAccess, gatewaypoaVariables, type GatewaypoaAccess } from './gatewaypoa.provider.ts';
export { SIGNATURE_HEADER, signCallback } from './signature.ts';
// The simulator implements the other side of this interface.
export * as gatewaypoaWire from './wire.ts';
