import { jest } from '@jest/globals';
import { CheckoutBrowser } from './checkout-browser.ts';
import { PaymentsStage } from './start-payments.ts';

/** Payments on the hosted page. */
interface PlayedCheckout {
  readonly stage: PaymentsStage;
  /** A payment with an unopened link. */
  created(changes?: object, amount?: string): Promise<CreatedCheckout>;
  /** The same, opened in a browser. */
  opened(changes?: object, amount?: string): Promise<OpenedCheckout>;
  /** Lets process time pass, by default longer than the two seconds for which a tenant's settings are cached. */
  passTenantFacts(ms?: number): void;
}

interface CreatedCheckout {
  readonly id: number;
  readonly order: ReturnType<PaymentsStage['neighbours']['anOrder']>;
  /** The link without its origin. */
  readonly url: string;
  readonly token: string;
}

interface OpenedCheckout extends CreatedCheckout {
  readonly browser: CheckoutBrowser;
  readonly shown: Awaited<ReturnType<CheckoutBrowser['open']>>;
}

/** A suite about the hosted page, on its own stage. The provider's answers are reset before each test. */
export function describeCheckout(title: string, suite: (play: PlayedCheckout) => void, env = {}): void {
  describe(title, () => {
    const realNow = performance.now.bind(performance);
    let passedMs = 0;
    let stage: PaymentsStage;
    beforeAll(async () => {
      stage = await PaymentsStage.start(env);
    });
    afterAll(async () => {
      jest.restoreAllMocks();
      await stage.stop();
    });
    beforeEach(() => resetAnswers(stage));

    suite({
      get stage() {
        return stage;
      },
      created: (changes, amount) => created(stage, changes, amount),
      opened: async (...asked) => {
        const payment = await created(stage, ...asked);
        const browser = new CheckoutBrowser(stage);
        return { ...payment, browser, shown: await browser.open(payment.url) };
      },
      passTenantFacts: (ms = 3_000) => {
        passedMs += ms;
        jest.spyOn(performance, 'now').mockImplementation(() => realNow() + passedMs);
      },
    });
  });
}

async function created(stage: PaymentsStage, changes = {}, amount = '5000'): Promise<CreatedCheckout> {
  const order = stage.neighbours.anOrder({ amount });
  const answer = await stage.checkOut([order], changes);
  if (answer.status !== 200) throw new Error(answer.body);
  const { id, token_url } = answer.json<{ id: number; token_url: string }>();
  const url = new URL(token_url);
  return { id, order, url: url.pathname + url.search, token: url.searchParams.get('txnId') ?? '' };
}

function resetAnswers(stage: PaymentsStage): void {
  stage.checkout.onIntent.set(null);
  stage.checkout.onCollect.set({ kind: 'yes', value: null });
  stage.checkout.onNetbanking.set(null);
  stage.checkout.onOrder.set(null);
  stage.sdkvendor.onStatus.set({ kind: 'yes', value: { status: 'waiting' } });
  stage.neighbours.settings.upi_collect_enabled = true;
  stage.neighbours.silent.clear();
}
