export * from './child-service.ts';
export * from './fake-clock.ts';
export * from './fault-switch.ts';
export * from './infrastructure/describe-with.ts';
export * from './test-database.ts';
export { freePort } from '@fundrail/service-kit/embedded';
export * from './wait-for.ts';
export * from './webhook-receiver.ts';
