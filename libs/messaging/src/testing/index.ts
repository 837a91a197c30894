export * from './bus-conformance.ts';
export * from './bus-stage.ts';
export * from './handled-types.ts';
export * from './notice-book.ts';
export * from './notices.ts';
export * from './pg-transactions.ts';
export * from './raw-kafka.ts';
export * from './recording-bus.ts';
