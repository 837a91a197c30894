import { setTimeout as pause } from 'node:timers/promises';
import type { Buyer } from '../crash/buyer.ts';
import type { Finding } from '../crash/finding.ts';
import { oneOf } from '../crash/random.ts';
import * as walks from '../crash/walks.ts';

/** Every walk through a purchase that needs no jump of the clock. */
const WALKS = {
  paid: walks.paid,
  'declined, then paid': walks.declinedThenPaid,
  'two orders in one payment': walks.twoOrdersInOnePayment,
  'payment cancelled, then paid': walks.paymentCancelledThenPaid,
  'paid too late': walks.paidTooLate,
  'order cancelled': walks.orderCancelled,
  'review refused': walks.reviewRefused,
  'registrar refused': walks.registrarRefused,
  'refused after the claim': walks.refusedAfterTheClaim,
} as const;
type WalkName = keyof typeof WALKS;
const NAMES = Object.keys(WALKS) as [WalkName, ...WalkName[]];

/** Wall milliseconds between two walks of the same buyer. */
const REST_MS = 100;

/** Buyers who make one purchase after the other, until `finish`. */
export class Load {
  /** The number of walks that have ended. */
  ended = 0;
  /** Walks that failed: the product refused a request that it should accept, or was too slow. */
  readonly failed: Finding[] = [];
  readonly #walking = new Map<Buyer, WalkName>();
  #isEnough = false;
  #loops: Promise<void>[] = [];

  /** @param newBuyer creates a buyer that waits as long as a whole run. */
  constructor(
    private readonly newBuyer: () => Buyer,
    private readonly random: () => number,
  ) {}

  /** Starts that many buyers at the same time. */
  start(buyers: number): void {
    this.#loops = Array.from({ length: buyers }, () => this.#buyRepeatedly());
  }

  /** Starts no more purchases; resolves when the running ones have ended. */
  async finish(): Promise<void> {
    this.#isEnough = true;
    await Promise.all(this.#loops);
  }

  /** The purchases that run now. */
  get walking(): string[] {
    return [...this.#walking.values()];
  }

  async #buyRepeatedly(): Promise<void> {
    while (!this.#isEnough) {
      await this.#buy();
      await pause(REST_MS);
    }
  }

  async #buy(): Promise<void> {
    const name = oneOf(NAMES, this.random);
    const buyer = this.newBuyer();
    this.#walking.set(buyer, name);
    try {
      await WALKS[name](buyer);
      this.ended += 1;
    } catch (error) {
      this.failed.push({ kind: 'unfinished', what: `the walk "${name}" broke off: ${String(error)}` });
    } finally {
      this.#walking.delete(buyer);
    }
  }
}
