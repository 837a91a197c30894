export type { FakeOrder } from './fake-neighbours.ts';
export { FakeProvider, NONSENSE, NOT_FOUND, SILENCE } from './fake-provider.ts';
export { noticeOf } from './fake-provider-mandates.ts';
export { capturedAs, rupees } from './payments.builder.ts';
export { PaymentsStage, type Answered } from './start-payments.ts';
