import { AsyncLocalStorage } from 'node:async_hooks';

/** Marks the asynchronous work of a transaction, so that what must not happen in one can be refused. */
export interface TransactionScope {
  open: boolean;
}

const scopes = new AsyncLocalStorage<TransactionScope>();

export function runInScope<T>(scope: TransactionScope, work: () => Promise<T>): Promise<T> {
  return scopes.run(scope, work);
}

/** Whether the caller runs inside an open transaction (no remote call may; architecture, rule 5). */
export function inTransaction(): boolean {
  return scopes.getStore()?.open === true;
}
