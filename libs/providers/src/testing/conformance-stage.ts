import { Decimal, type PaymentFailureCode } from '@fundrail/contracts';
import type { GatewayOrder } from '../gateway-order.ts';
import type { OrderGateway, PaymentProvider, TransferGateway } from '../ports.ts';
import type { ProviderPayment } from '../provider-payment.ts';
import { eventually } from './eventually.ts';

/** A call that can be disturbed. Each stage maps it to its provider's call. */
export type Disturbed =
  | 'review'
  | 'submit'
  | 'order_status'
  | 'payment'
  | 'collect'
  | 'payment_status'
  | 'transfer'
  | 'refund'
  | 'refund_status';

/** A callback as received. */
export interface StageCallback {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly raw: string;
}

/** A payment provider under the conformance suite: the real one's sandbox, a simulator, or a fake server. */
export interface PaymentStage {
  readonly payments: PaymentProvider;
  /** VPAs by what their payers do; `unknown` does not exist. */
  readonly payers: {
    readonly pays: string;
    readonly declines: string;
    readonly waits: string;
    readonly unknown: string;
  };
  /** Whether the provider voids a cancelled payment; if not, a cancellation only means that nothing was paid so far. */
  readonly voids: boolean;
  /** A payment that the provider always refuses. */
  refusedPayment(): Promise<ProviderPayment>;
  /** Disturbs the next call: `lost` before the effect, `late` answers after the adapter's time-out, `slow` before it. */
  disturb(call: Disturbed, how: 'lost' | 'late' | 'slow' | 'status_500' | 'nonsense'): Promise<void>;
  /** Disturbs the next callback about an order or a payment. */
  disturbCallback(
    topic: 'orders' | 'payments',
    how: 'lost' | 'duplicate' | 'reorder' | 'nonsense',
  ): Promise<void>;
  pay(paymentId: number): Promise<void>;
  /** Pays a paid payment a second time. */
  payAgain(paymentId: number): Promise<void>;
  /** Pays from another account than the payer's account that we sent to the provider. */
  payAsThirdParty(paymentId: number): Promise<void>;
  decline(paymentId: number, failureCode: PaymentFailureCode): Promise<void>;
  /** The callbacks about a reference so far, in the order of their arrival. */
  callbacks(reference: string): Promise<readonly StageCallback[]>;
  end(): Promise<void>;
}

/** The same with the order gateway, which reviews and submits orders and receives the money of payments. */
export interface ConformanceStage extends PaymentStage {
  readonly orders: OrderGateway;
  readonly transfers: TransferGateway;
  /** A scheme of the category `liquid`, where the order gateway reports categories. */
  readonly liquidScheme?: string;
  /** Pays the proceeds of a processed redemption, where the order gateway reports payouts. Returns the bank's reference (UTR). */
  readonly payOut?: (reference: string) => Promise<string>;
}

/** A call without an answer: it may have had its effect. */
export const NO_ANSWER = { kind: 'unknown', why: 'no_answer' };

/** Answers that say nothing, and why their outcome is unknown. */
export const SAYING_NOTHING = [
  ['status_500', 'no_answer'],
  ['nonsense', 'not_understood'],
] as const;

/** The callbacks about a reference, once there are at least this many. */
export function callbacksOf(stage: Pick<PaymentStage, 'callbacks'>, reference: string, atLeast = 1) {
  return eventually(
    () => stage.callbacks(reference),
    (all) => all.length >= atLeast,
  );
}

let drawn = 0;

/** A number that no other test of this process has. */
export function drawNumber(): number {
  drawn += 1;
  return 1_000 + drawn;
}

/** An order for ₹5,000 that passes its review. */
export function newOrder(parts: Partial<GatewayOrder> = {}): GatewayOrder {
  const oldId = drawNumber();
  return {
    reference: `mfp_${String(oldId).padStart(32, '0')}`,
    tenant: 'demo',
    old_id: oldId,
    kind: 'purchase',
    investment_account: 'mfia_1',
    scheme: 'INF204K01HY3',
    folio_number: null,
    amount: Decimal.parse('5000'),
    units: null,
    euin: null,
    collected: false,
    ...parts,
  };
}

/** A payment of ₹5,000 that expires in half an hour. */
export function newPayment(parts: Partial<ProviderPayment> = {}): ProviderPayment {
  const id = drawNumber();
  return {
    reference: `P${String(id).padStart(14, '0')}`,
    payment_id: id,
    tenant: 'demo',
    amount: Decimal.parse('5000'),
    currency: 'INR',
    payee_name: 'Demo Fund Services',
    payer: { account_number: '1', ifsc_code: 'HDFC0000001', name: 'A' },
    contact: { email: 'a@example.com', mobile: '+919000000001' },
    browser: { ip: '203.0.113.7', referer: 'https://pay.example/checkout', user_agent: 'Mozilla/5.0' },
    expires_at: new Date(Date.now() + 1_800_000),
    ...parts,
  };
}
