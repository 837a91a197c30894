export * from './reconciliation/book-check.ts';
export * from './reconciliation/compare.ts';
export * from './reconciliation/declared-check.ts';
export { withUnpublished } from './reconciliation/event-log.repository.ts';
export * from './reconciliation/question.ts';
export * from './reconciliation/reconciliation-check.ts';
export * from './reconciliation/rows-check.ts';
