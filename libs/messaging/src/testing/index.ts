export * from './bus-conformance.ts';
export * from './bus-stage.ts';
export * from './notices.ts';
export * from './pg-transactions.ts';
