import type { ApiError } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { InvestorFacts } from '../../outside/investor-facts.ts';
import type { Collection } from '../collection.ts';
import { EndPayment } from '../end-payment.ts';
import { collectRefusal, upiLimitRefusal } from '../upi/upi-policies.ts';
import { layAttemptsAside } from './attempt.repository.ts';
import { offersWay } from './attempt.ts';
import { bankName } from './banks.ts';
import { BeginAttempt } from './begin-attempt.ts';
import { vpaOf, type CheckoutForm } from './checkout-form.ts';
import type { Problem } from './checkout.ts';
import type { BeginResult, Choice } from './record-attempt.ts';
import type { Visitor } from './visitor.ts';

/** The result of a form: null, or the problem that the page shows and its HTTP status. */
type Acted = { readonly problem: Problem; readonly status: number } | null;

const problem = (form: Problem['form'], key: Problem['key'], status: number, given?: string): Acted => ({
  problem: { form, key, ...(given === undefined ? {} : { given }) },
  status,
});

/** Does what a form of the page asks for. */
@Injectable()
export class ActOnCheckout {
  constructor(
    private readonly begin: BeginAttempt,
    private readonly end: EndPayment,
    private readonly facts: InvestorFacts,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
  ) {}

  async execute(payment: Collection, form: CheckoutForm, visitor: Visitor): Promise<Acted> {
    switch (form.action) {
      case 'intent':
        return this.intent(payment, visitor);
      case 'collect':
        return this.collect(payment, form.vpa, visitor);
      case 'netbanking':
        return this.netbanking(payment, form.bank, visitor);
      case 'choose':
        await layAttemptsAside(this.database, payment, await this.database.now());
        return null;
      case 'cancel':
        return (await this.end.execute(payment, 'cancel')) === 'silent'
          ? problem('page', 'error_silent', 503)
          : null;
      case null:
        return null;
      default:
        return form.action satisfies never;
    }
  }

  // The page hides what a policy refuses, but a client can post without it, and the rule may have changed since: it is judged here too (POL-2).
  private async intent(payment: Collection, visitor: Visitor): Promise<Acted> {
    if ((await this.refusalOf(payment)) || !offersWay(payment, 'intent')) return null;
    return this.start(payment, { way: 'intent' }, visitor);
  }

  private async collect(payment: Collection, given: string, visitor: Visitor): Promise<Acted> {
    if ((await this.refusalOf(payment, visitor)) || !offersWay(payment, 'collect')) return null;
    const vpa = vpaOf(given);
    if (vpa === null) return problem('collect', 'error_upi_id', 422, given);
    return this.start(payment, { way: 'collect', vpa }, visitor);
  }

  /** Given the visitor, as a collect request too. */
  private async refusalOf(payment: Collection, visitor?: Visitor): Promise<ApiError | null> {
    const [{ settings }, now] = await Promise.all([this.facts.tenant(payment.tenant), this.database.now()]);
    const source = { db: this.database, times: this.config.times };
    const refusal = await upiLimitRefusal(source, payment, settings, now);
    return refusal ?? (visitor ? collectRefusal(settings, visitor.browser, now) : null);
  }

  private async netbanking(payment: Collection, bank: string, visitor: Visitor): Promise<Acted> {
    if (!offersWay(payment, 'netbanking') && !(await this.refusalOf(payment))) return null;
    if (bankName(bank) === null) return problem('netbanking', 'error_bank', 422);
    return this.start(payment, { way: 'netbanking', bank }, visitor);
  }

  private async start(payment: Collection, choice: Choice, visitor: Visitor): Promise<Acted> {
    return AFTER[await this.begin.execute(payment, choice, visitor)];
  }
}

const AFTER: Readonly<Record<BeginResult, Acted>> = {
  started: null,
  // The page reads the refusal from the attempt.
  refused: null,
  silent: problem('page', 'error_silent', 503),
  many: problem('page', 'error_many', 429),
  ended: problem('page', 'error_ended', 409),
};
