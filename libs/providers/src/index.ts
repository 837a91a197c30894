export type { CallKind } from './http-caller.ts';
export * from './answer.ts';
export * from './built-providers.ts';
export * from './define-provider.ts';
export { DESCRIPTORS } from './registry.ts';
export * from './book-ports.ts';
export * from './gateway-order.ts';
export * from './mandate-ports.ts';
export * from './mandate-uri.ts';
export * from './payee-name.ts';
export * from './plan-ports.ts';
export * from './ports.ts';
export * from './provider-payment.ts';
export * from './references.ts';
export * from './refuse-callback.ts';
// The order gateway, which services name. What a folder of another provider exports is `@fundrail/providers/<name>`.
export * from './gatewaypoa/index.ts';
