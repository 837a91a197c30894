import { Decimal } from '@fundrail/contracts';
import type { PaymentFailureCode } from '@fundrail/contracts';
import type {
  GatewayOrder,
  OrderGateway,
  PaymentProvider,
  ProviderPayment,
  TransferGateway,
} from '../ports.ts';

/** A call that can be disturbed. Each stage knows what its provider calls it. */
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

/** A callback as it came in. */
export interface StageCallback {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly raw: string;
}

/** A payment provider that the conformance suite plays against: the real one's sandbox, a simulator, or a fake server. */
export interface PaymentStage {
  readonly payments: PaymentProvider;
  /** VPAs by what their payers do; nobody has `nobody`. */
  readonly payers: {
    readonly pays: string;
    readonly declines: string;
    readonly waits: string;
    readonly nobody: string;
  };
  /** Whether a cancelled payment is void there; if not, a cancellation only says that nothing has been paid so far. */
  readonly voids: boolean;
  /** Disturbs the next call: `lost` before the effect, `late` answers after the adapter's time-out, `slow` before it. */
  disturb(call: Disturbed, how: 'lost' | 'late' | 'slow' | 'status_500' | 'nonsense'): Promise<void>;
  /** Disturbs the next callback about an order or a payment. */
  disturbCallback(
    topic: 'orders' | 'payments',
    how: 'lost' | 'duplicate' | 'reorder' | 'nonsense',
  ): Promise<void>;
  pay(paymentId: number): Promise<void>;
  /** Pays a payment that was paid, a second time. */
  payAgain(paymentId: number): Promise<void>;
  /** Another account than the payer's that the provider was told pays. */
  payAsThirdParty(paymentId: number): Promise<void>;
  decline(paymentId: number, failureCode: PaymentFailureCode): Promise<void>;
  /** The callbacks about a reference so far, in the order of their arrival. */
  callbacks(reference: string): Promise<readonly StageCallback[]>;
  end(): Promise<void>;
}

/** The same with the order gateway, which reviews and submits orders and takes the money of payments. */
export interface ConformanceStage extends PaymentStage {
  readonly orders: OrderGateway;
  readonly transfers: TransferGateway;
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
    ...parts,
  };
}

/** A payment of ₹5,000 that has half an hour. */
export function newPayment(parts: Partial<ProviderPayment> = {}): ProviderPayment {
  const id = drawNumber();
  return {
    reference: `P${String(id).padStart(14, '0')}`,
    payment_id: id,
    tenant: 'demo',
    amount: Decimal.parse('5000'),
    currency: 'INR',
    payer: { account_number: '1', ifsc_code: 'HDFC0000001', name: 'A' },
    contact: { email: 'a@example.com', mobile: '+919000000001' },
    browser: { ip: '203.0.113.7', referer: 'https://pay.example/checkout', user_agent: 'Mozilla/5.0' },
    expires_at: new Date(Date.now() + 1_800_000),
    ...parts,
  };
}
