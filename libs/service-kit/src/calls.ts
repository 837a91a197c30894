export { callProgress } from './calls/call-progress.ts';
export { callsOf, type CallName, type RecordedCallRow } from './calls/recorded-call.repository.ts';
export { RecordedCalls } from './calls/recorded-calls.ts';
