export * from './due/ask-now.ts';
export * from './due/due-batch.ts';
export * from './due/due-work.ts';
export * from './due/gateway-calls.ts';
export * from './due/outside-call.ts';
export * from './due/schedule-due.ts';
export * from './due/handles-due.decorator.ts';
export { DueWorker } from './due/due-worker.ts';
