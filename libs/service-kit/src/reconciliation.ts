export * from './reconciliation/book-check.ts';
export * from './reconciliation/paged.ts';
export * from './reconciliation/reconciliation-check.ts';
