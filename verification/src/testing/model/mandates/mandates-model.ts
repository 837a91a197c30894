import type { MandateDto, PaymentDto, ProviderName } from '@fundrail/contracts';
import type { MandatesStage } from './mandates-stage.ts';

export interface ModelMandate {
  readonly id: number;
  readonly type: MandateDto['mandate_type'];
  readonly provider: ProviderName;
}

/** What the test knows without a query: the objects that it has created. */
export interface Model {
  readonly orders: readonly { readonly old_id: number; readonly id: string }[];
  readonly mandates: ModelMandate[];
  /** AUTH_TRANSACTION payments. */
  readonly authorisations: { readonly id: number; readonly mandate: number }[];
  /** NACH payments. */
  readonly debits: { readonly id: number; readonly mandate: number; readonly order: number }[];
}

/** What a command does. */
export type Run = (model: Model, stage: MandatesStage) => Promise<void>;

export async function mandateOf(stage: MandatesStage, id: number): Promise<MandateDto> {
  const { body } = await stage.send('GET', `/api/pg/mandates/${id}`);
  return body as Record<string, unknown> & MandateDto;
}

export async function paymentOf(stage: MandatesStage, id: number): Promise<PaymentDto> {
  const { body } = await stage.send('GET', `/api/pg/payments/${id}`);
  return body as Record<string, unknown> & PaymentDto;
}

/** Picks one item by any number; null when there is none. */
export function one<T>(items: readonly T[], index: number): T | null {
  return items[index % items.length] ?? null;
}
