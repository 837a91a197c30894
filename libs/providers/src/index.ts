export * from './ports.ts';
export * from './gatewaypoa/index.ts';
