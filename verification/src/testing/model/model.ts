import type { PaymentDto } from '@fundrail/contracts';
import type { ModelStage } from './model-stage.ts';

/** A created payment, and the investor's access to its page. */
interface Paid {
  readonly id: number;
  readonly reference: string;
  readonly provider: string;
  readonly orders: readonly number[];
  /** The cookie and token of the browser that opened the hosted page. */
  page: { readonly cookie: string; readonly token: string } | null;
}

/** What the test knows without a query: the orders, and the payments that hold them. */
export interface Model {
  readonly orders: readonly { readonly old_id: number; readonly id: string }[];
  readonly payments: Paid[];
  /** The orders whose confirmation was answered with success, and the payment that held each of them then. */
  readonly confirmed: Confirmed[];
}

export interface Confirmed {
  readonly old_id: number;
  readonly payment: number;
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

/** Picks one item by any number. Throws when there is none. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}
