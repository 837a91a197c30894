import { judge } from '@fundrail/policies';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { InvestorFacts } from '../../outside/investor-facts.ts';
import type { Collection } from '../collection.ts';
import { EndPayment } from '../end-payment.ts';
import { upiLimitRefusal } from '../upi/upi-limit.ts';
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
    const [{ settings }, now] = await this.facing(payment);
    if (upiLimitRefusal(settings, payment.amount, now) || !offersWay(payment, 'intent')) return null;
    return this.start(payment, { way: 'intent' }, visitor);
  }

  private async collect(payment: Collection, given: string, visitor: Visitor): Promise<Acted> {
    const [{ settings }, now] = await this.facing(payment);
    const refusal =
      upiLimitRefusal(settings, payment.amount, now) ?? judge('upi_collect', now, null, settings);
    if (refusal || !offersWay(payment, 'collect')) return null;
    const vpa = vpaOf(given);
    if (vpa === null) return problem('collect', 'error_upi_id', 422, given);
    return this.start(payment, { way: 'collect', vpa }, visitor);
  }

  private facing({ tenant }: Collection) {
    return Promise.all([this.facts.tenant(tenant), this.database.now()]);
  }

  private async netbanking(payment: Collection, bank: string, visitor: Visitor): Promise<Acted> {
    if (!offersWay(payment, 'netbanking') && !(await this.isAboveUpi(payment))) return null;
    if (bankName(bank) === null) return problem('netbanking', 'error_bank', 422);
    return this.start(payment, { way: 'netbanking', bank }, visitor);
  }

  private async isAboveUpi(payment: Collection): Promise<boolean> {
    const [{ settings }, now] = await this.facing(payment);
    return upiLimitRefusal(settings, payment.amount, now) !== null;
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
