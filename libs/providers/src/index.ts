export * from './mandate-ports.ts';
export * from './mandate-uri.ts';
export * from './ports.ts';
export * from './gatewaypoa/index.ts';
export * from './sdkvendor/index.ts';
