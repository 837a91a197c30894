import type { PaymentDto } from '@fundrail/contracts';
import type { ModelStage } from './model-stage.ts';

/** A payment that was made, and the investor's hold on its page. */
export interface Paid {
  readonly id: number;
  readonly reference: string;
  readonly provider: string;
  readonly orders: readonly number[];
  /** What the browser has that opened the hosted page. */
  page: { readonly cookie: string; readonly token: string } | null;
}

/** What the test knows without asking: which orders there are, and whose payment holds them. */
export interface Model {
  readonly orders: readonly { readonly old_id: number; readonly id: string }[];
  readonly payments: Paid[];
}

/** What a command does. */
export type Run = (model: Model, stage: ModelStage) => Promise<void>;

export async function paymentOf(
  stage: ModelStage,
  id: number,
): Promise<PaymentDto & Record<string, unknown>> {
  const { body } = await stage.send('GET', `/api/pg/payments/${id}`);
  return body as PaymentDto & Record<string, unknown>;
}

/** One of several, whatever the number. Throws when there is none. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}
