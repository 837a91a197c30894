import { Decimal } from '@fundrail/contracts';
import type { PaymentFailureCode } from '@fundrail/contracts';
import { UnreadableCallback } from '@fundrail/providers';
import type {
  Answer,
  CallbackHeaders,
  GatewayOrderStatus,
  OrderGateway,
  PaymentCallback,
  PaymentProvider,
  ProviderCheckout,
  ProviderPayment,
  ProviderPaymentStatus,
  ProviderRefund,
  RefundStatus,
  Transfer,
  TransferGateway,
  TransferStatus,
} from '@fundrail/providers';

const SILENCE = { kind: 'unknown', why: 'no_answer', detail: 'time-out' } as const;
const NOT_FOUND = { kind: 'not_found' } as const;
const yes = <T>(value: T) => ({ kind: 'yes', value }) as const;

/** How the outside answers: `silent` does nothing and says nothing, `lost` does it and its answer is lost. */
export type Mood = 'well' | 'silent' | 'lost';

/** A payment as the provider knows it: the truth about its money. */
export interface Account {
  readonly captures: { readonly id: string; readonly amount: Decimal }[];
  readonly refunds: Map<string, Decimal>;
  readonly amount: Decimal;
  failed: PaymentFailureCode | null;
}

/** Providers, bank, order gateway and registrar in one: what is so there, whoever has heard of it. */
export class OutsideWorld {
  readonly accounts = new Map<string, Account>();
  readonly transfers = new Map<
    string,
    { readonly transfer: Transfer; status: 'waiting' | 'settled' | 'rejected' }
  >();
  mood: Mood = 'well';
  private nextId = 1;

  /** Does and answers it, as the mood is. */
  answer<T>(act: () => T): Promise<T | typeof SILENCE> {
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

  /** Money moves; nobody has told of it yet. */
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

  statusOf(account: Account, capture = 0): ProviderPaymentStatus {
    const money = account.captures[capture];
    if (money)
      return { status: 'captured', provider_reference: money.id, amount: money.amount, currency: 'INR' };
    return account.failed
      ? { status: 'failed', failure_code: account.failed, message: '' }
      : { status: 'waiting' };
  }
}

/** A provider of that name in the world. Callbacks are told by what their body names: the reference and which capture. */
export class PlayedProvider implements PaymentProvider, TransferGateway {
  readonly checkout: ProviderCheckout | null;
  readonly mandates = null;
  readonly drawsTr = false;

  constructor(
    readonly name: PaymentProvider['name'],
    private readonly world: OutsideWorld,
  ) {
    this.checkout = name === 'SDKVENDOR' ? new PlayedCheckout(world) : null;
  }

  issueUpiUri(payment: ProviderPayment) {
    return this.world.answer(() => {
      this.world.register(payment);
      const am = payment.amount.toFixed2();
      return yes({ uri: `upi://pay?pa=op%40bank&pn=Operator&tr=${payment.reference}&am=${am}&cu=INR` });
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
      return account ? yes(this.world.statusOf(account)) : NOT_FOUND;
    });
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

  startUpiIntent = () => Promise.resolve(SILENCE);
  startUpiCollect = () => Promise.resolve(SILENCE);
  startNetbanking = () => Promise.resolve(SILENCE);
}

/** Takes every order; the registrar never answers, because what it does is no part of the model. */
export function playedOrderGateway(world: OutsideWorld): OrderGateway {
  const submitted: GatewayOrderStatus = {
    review: { result: 'passed' },
    submission: { result: 'accepted', order_reference: 'REF' },
    outcome: { result: 'waiting' },
  };
  return {
    requestReview: () => world.answer(() => yes(null)),
    submit: () => world.answer(() => yes({ order_reference: 'REF' })),
    status: () => world.answer(() => yes(submitted)),
    readCallback: () => {
      throw new Error('the model sends no callbacks of orders');
    },
  };
}

function transferOf(status: 'waiting' | 'settled' | 'rejected'): TransferStatus {
  return status === 'rejected' ? { status, failure_code: 'refused' } : { status };
}

/** Rupees as tests write them. */
export function rupees(text: string): Decimal {
  return Decimal.parse(text);
}
