import { Decimal, type PaymentFailureCode } from '@fundrail/contracts';
import { UnreadableCallback } from '@fundrail/providers';
import type {
  Answer,
  CallbackHeaders,
  PaymentCallback,
  PaymentProvider,
  ProviderCapture,
  ProviderCheckout,
  ProviderMandates,
  ProviderPayment,
  ProviderPaymentStatus,
  ProviderRefund,
  RefundStatus,
  Transfer,
  TransferGateway,
  TransferStatus,
} from '@fundrail/providers';
import { NOT_FOUND, SILENCE, yes } from '@fundrail/testing';

/** An unknown outcome: no answer arrived. */
export type NoAnswer = Extract<Answer<never>, { kind: 'unknown' }>;

/** How the outside systems answer: `silent` does nothing and does not answer, `lost` acts but its answer is lost. */
export type Mood = 'well' | 'silent' | 'lost';

/** A payment at the provider: the truth about its money. */
export interface Account {
  readonly captures: { readonly id: string; readonly amount: Decimal }[];
  readonly refunds: Map<string, Decimal>;
  readonly amount: Decimal;
  failed: PaymentFailureCode | null;
}

/** The registrar's decision about an order that it has received. */
export type RegistrarWord = 'waiting' | 'successful' | 'failed' | 'reversed';

/** Providers, bank, order gateway and registrar in one: the state there, even if it was not reported yet. */
export class OutsideWorld {
  readonly accounts = new Map<string, Account>();
  readonly transfers = new Map<
    string,
    { readonly transfer: Transfer; status: 'waiting' | 'settled' | 'rejected' }
  >();
  /** The orders that the gateway has accepted, by our order id. */
  readonly orders = new Map<string, RegistrarWord>();
  mood: Mood = 'well';
  private nextId = 1;

  /** Runs the act and answers, depending on the mood. */
  answer<T>(act: () => T): Promise<T | NoAnswer> {
    if (this.mood === 'silent') return Promise.resolve(SILENCE);
    const answer = act();
    return Promise.resolve(this.mood === 'lost' ? SILENCE : answer);
  }

  register({ reference, amount }: ProviderPayment): Account {
    const account = this.accounts.get(reference) ?? {
      captures: [],
      refunds: new Map(),
      amount,
      failed: null,
    };
    this.accounts.set(reference, account);
    return account;
  }

  /** Money moves, without a report yet. */
  pay(reference: string, amount?: Decimal): void {
    const account = this.account(reference);
    account.captures.push({ id: `pay_${this.nextId++}`, amount: amount ?? account.amount });
    account.failed = null;
  }

  account(reference: string): Account {
    const account = this.accounts.get(reference);
    if (!account) throw new Error(`the world does not know ${reference}`);
    return account;
  }

  /** As in a callback: one capture. */
  statusOf(account: Account, capture = 0): ProviderPaymentStatus {
    const money = account.captures[capture];
    if (money) return { status: 'captured', ...captureOf(money) };
    return account.failed
      ? { status: 'failed', failure_code: account.failed, message: '' }
      : { status: 'waiting' };
  }
}

function captureOf({ id, amount }: Account['captures'][number]): ProviderCapture {
  return { provider_reference: id, amount, currency: 'INR' };
}

/** A provider of that name in the world. The body of a callback names its reference and its capture. */
export class PlayedProvider implements PaymentProvider, TransferGateway {
  readonly checkout: ProviderCheckout | null;
  readonly mandates: ProviderMandates | null = null;
  readonly drawsTr = false;
  readonly needsContact: boolean;
  readonly signatureHeader = 'x-played-signature';

  constructor(
    readonly name: PaymentProvider['name'],
    private readonly world: OutsideWorld,
  ) {
    this.needsContact = name === 'SDKVENDOR';
    this.checkout = name === 'SDKVENDOR' ? new PlayedCheckout(world) : null;
  }

  issueUpiUri(payment: ProviderPayment) {
    return this.world.answer(() => {
      this.world.register(payment);
      return yes({ uri: linkOf(payment) });
    });
  }

  sendCollect(payment: ProviderPayment): Promise<Answer<null, PaymentFailureCode>> {
    return this.world.answer(() => {
      this.world.register(payment);
      return yes(null);
    });
  }

  paymentStatus(reference: string): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>> {
    return this.world.answer(() => {
      const account = this.world.accounts.get(reference);
      return account ? yes(this.wholeStatus(account)) : NOT_FOUND;
    });
  }

  /** The answer to a status query: with several attempts it contains all captures. */
  private wholeStatus(account: Account): ProviderPaymentStatus {
    const first = this.world.statusOf(account);
    if (first.status !== 'captured' || !this.checkout) return first;
    const others = account.captures.slice(1).map(captureOf);
    return { ...first, ...(others.length > 0 ? { others } : {}) };
  }

  cancel(reference: string): Promise<Answer<null>> {
    return this.world.answer(() => {
      const account = this.world.accounts.get(reference);
      if (!account) return NOT_FOUND;
      if (account.captures.length > 0)
        return { kind: 'no', failure_code: 'already_paid', message: '' } as const;
      account.failed ??= 'user_cancelled';
      return yes(null);
    });
  }

  refund({ reference, payment_reference, amount }: ProviderRefund): Promise<Answer<RefundStatus>> {
    return this.world.answer(() => {
      this.world.account(payment_reference).refunds.set(reference, amount);
      return yes({ status: 'successful' } as const);
    });
  }

  refundStatus({ reference, payment_reference }: ProviderRefund): Promise<Answer<RefundStatus>> {
    return this.world.answer(() =>
      this.world.account(payment_reference).refunds.has(reference)
        ? yes({ status: 'successful' } as const)
        : NOT_FOUND,
    );
  }

  transfer(transfer: Transfer): Promise<Answer<TransferStatus>> {
    return this.world.answer(() => {
      const known = this.world.transfers.get(transfer.reference) ?? { transfer, status: 'waiting' };
      this.world.transfers.set(transfer.reference, known);
      return yes(transferOf(known.status));
    });
  }

  transferStatus(reference: string): Promise<Answer<TransferStatus>> {
    return this.world.answer(() => {
      const known = this.world.transfers.get(reference);
      return known ? yes(transferOf(known.status)) : NOT_FOUND;
    });
  }

  readCallback(_: CallbackHeaders, rawBody: string): Promise<PaymentCallback> {
    const [, event_id = '', reference = '', capture = '0'] =
      /^\["(\w+)","(\w+)","(\d+)"\]$/.exec(rawBody) ?? [];
    const transfer = this.world.transfers.get(reference);
    if (transfer)
      return Promise.resolve({
        event_id,
        reference,
        fact: { about: 'transfer', transfer: transferOf(transfer.status) },
      });
    const account = this.world.accounts.get(reference);
    if (!account) return Promise.reject(new UnreadableCallback(rawBody));
    const payment = this.world.statusOf(account, Number(capture));
    return Promise.resolve({ event_id, reference, fact: { about: 'payment', payment } });
  }
}

class PlayedCheckout implements ProviderCheckout {
  readonly keyId = 'key_model';
  readonly isSigned = () => true;

  constructor(private readonly world: OutsideWorld) {}

  createOrder(payment: ProviderPayment) {
    return this.world.answer(() => {
      this.world.register(payment);
      return yes({ order_id: `order_${payment.reference}` });
    });
  }

  startUpiIntent(payment: ProviderPayment) {
    return this.begin(payment, { uri: linkOf(payment) });
  }

  startUpiCollect(payment: ProviderPayment) {
    return this.begin(payment, null);
  }

  startNetbanking(payment: ProviderPayment) {
    return this.begin(payment, { redirect_url: `https://bank.example/${payment.reference}` });
  }

  /** A new attempt reopens the order. */
  private begin<T>(payment: ProviderPayment, value: T) {
    return this.world.answer(() => {
      this.world.register(payment).failed = null;
      return yes(value);
    });
  }
}

function linkOf({ reference, amount }: ProviderPayment): string {
  return `upi://pay?pa=op%40bank&pn=Operator&tr=${reference}&am=${amount.toFixed2()}&cu=INR`;
}

function transferOf(status: 'waiting' | 'settled' | 'rejected'): TransferStatus {
  return status === 'rejected' ? { status, failure_code: 'refused' } : { status };
}

/** Parses rupees as tests write them. */
export function rupees(text: string): Decimal {
  return Decimal.parse(text);
}
