import type { DueKind } from '../../payment/due-task.ts';
import type { ProviderName } from '../../payment/payment.tables.ts';

const KINDS = {
  GATEWAYPOA: 'debit.execute.gatewaypoa',
  SDKVENDOR: 'debit.execute.sdkvendor',
} as const satisfies Record<ProviderName, DueKind>;

/** The due kind of executions at a provider. Each has its own, so that no provider waits for the debits of another. */
export function executionKind(provider: ProviderName): (typeof KINDS)[ProviderName] {
  return KINDS[provider];
}
