import { AsyncLocalStorage } from 'node:async_hooks';

/** Marks the asynchronous work of a transaction, to refuse calls that must not happen inside one. */
export interface TransactionScope {
  open: boolean;
}

const scopes = new AsyncLocalStorage<TransactionScope>();

export function runInScope<T>(scope: TransactionScope, work: () => Promise<T>): Promise<T> {
  return scopes.run(scope, work);
}

/** Whether the caller runs inside an open transaction (no remote call may; CALL-2). */
export function inTransaction(): boolean {
  return scopes.getStore()?.open === true;
}
