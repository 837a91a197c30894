export type { CallKind, ObserveCall } from './http-caller.ts';
export * from './book-ports.ts';
export * from './mandate-ports.ts';
export * from './mandate-uri.ts';
export * from './plan-ports.ts';
export * from './ports.ts';
export * from './refuse-callback.ts';
export * from './gatewaypoa/index.ts';
export * from './sdkvendor/index.ts';
