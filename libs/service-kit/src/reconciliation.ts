export * from './reconciliation/book-check.ts';
export { withUnpublished } from './reconciliation/event-log.repository.ts';
export * from './reconciliation/paged.ts';
export * from './reconciliation/reconciliation-check.ts';
