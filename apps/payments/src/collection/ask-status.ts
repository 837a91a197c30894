import { isUpiQuestionTaken, nextUpiQuestion, type UpiTransaction } from '@fundrail/policies';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, sendNow, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { AskProvider } from './ask-provider.ts';
import { SendCollectAuthorisation } from './authorisation/send-collect-authorisation.ts';
import { findCollection } from './collection.repository.ts';
import { expiryOf, mayBePaid, still, type Collection } from './collection.ts';
import { SendUpiRequest } from './upi/send-upi-request.ts';
import { UpiQuestions } from './upi/upi-questions.ts';

/** How long status calls continue when the provider did not answer the last scheduled one. */
const GRACE_MS = 86_400_000;
/** How long a bank may take over an authorisation that FAILED here before the bank reported that it has it. */
const BANK_MS = 30 * 86_400_000;

/**
 * `payment.status`: asks the provider for the status on the schedule of GATE-3, by UPI on that of `upi_status_enquiry`, in case a callback was lost.
 * - While the payment is PENDING, and for three days after it FAILED, because a success may come late.
 * - For a month for a FAILED authorisation that the bank has, or whose provider does not answer.
 * - A successful payment whose provider may take the money, or authorise a mandate, twice: when it expires, and once more when
 *   the three days are over (decision 0012).
 */
@Injectable()
@HandlesDue('payment.status')
export class AskStatus {
  constructor(
    private readonly ask: AskProvider,
    private readonly upi: SendUpiRequest,
    private readonly questions: UpiQuestions,
    private readonly authorisation: SendCollectAuthorisation,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
  ) {}

  async handle(work: DueWork): Promise<DueResult> {
    const payment = await findCollection(this.database, work.tenant, Number(work.key));
    if (!payment) return 'done';
    const byUpi = await this.questions.about(this.database, payment);
    const isTaken = byUpi !== null && !isClosing(payment) && isUpiQuestionTaken(byUpi, plannedAs(work));
    const result = isTaken ? 'later' : await this.askAbout(payment);
    return result === 'later' && !(await this.isToClose(payment)) ? this.next(byUpi, work) : result;
  }

  /** Closing at the end is repeated by the back-off: until then the provider takes money for a payment that has ended. */
  private async isToClose({ status, tenant, id }: Collection): Promise<boolean> {
    const after = status === 'FAILED' ? await findCollection(this.database, tenant, id) : null;
    return after !== null && isClosing(after);
  }

  /** A question that a report of the provider has caused (`attempts` 0) is none of those that the policy counts. */
  private async next(byUpi: UpiTransaction | null, { attempts: asked }: DueWork): Promise<DueResult> {
    const question = byUpi && nextUpiQuestion({ ...byUpi, asked }, await this.database.now());
    return question ? { again: question.at, attempts: question.position } : 'later';
  }

  private async askAbout(payment: Collection): Promise<DueResult> {
    if (payment.status === 'PENDING') return this.pending(payment);
    if (payment.status === 'SUBMITTED') return this.submitted(payment);
    if (payment.status === 'FAILED') return this.failed(payment);
    return this.ask.maySucceedTwice(payment) ? this.paid(payment) : 'done';
  }

  private async paid(payment: Collection): Promise<DueResult> {
    const now = await this.database.now();
    const end = expiryOf(payment);
    if (now < end) return { again: end };
    const asked = await this.ask.status(payment);
    const last = new Date(
      (payment.debit_confirmed_at ?? payment.created_at).getTime() + this.config.watchFailedMs,
    );
    if (now < last) return asked === 'silent' ? 'later' : { again: last };
    return asked === 'silent' && now.getTime() < last.getTime() + GRACE_MS ? 'later' : 'done';
  }

  private async pending(payment: Collection): Promise<DueResult> {
    const asked = await this.ask.status(payment);
    if (asked === 'not_found') await this.sendAgain(payment);
    return 'later';
  }

  /** An authorisation that the bank has not confirmed: it may take days. */
  private async submitted(payment: Collection): Promise<DueResult> {
    await this.ask.status(payment);
    return 'later';
  }

  private async sendAgain(payment: Collection): Promise<void> {
    const { payment_type, upi } = payment;
    if (payment_type === 'AUTH_TRANSACTION') {
      // A URI or an order came from the provider, so the provider cannot have missed the payment.
      if (upi?.type === 'collect') await sendNow(this.authorisation.outsideCall, payment);
    } else if (upi && mayBePaid(payment)) await sendNow(this.upi.callFor(upi.type), payment);
  }

  /** Every hour, and once more when the days are over: otherwise money that came in during the last hour would be kept. */
  private async failed(payment: Collection): Promise<DueResult> {
    const last = (payment.failed_at ?? payment.created_at).getTime() + this.config.watchFailedMs;
    const now = (await this.database.now()).getTime();
    const asked = await (isClosing(payment) ? this.ask.close(payment, still) : this.ask.status(payment));
    if (now < last || (asked === 'on_its_way' && now < last + BANK_MS)) return 'later';
    // The bank may have the authorisation although the provider does not answer at the moment.
    const graceMs = payment.payment_type === 'AUTH_TRANSACTION' ? BANK_MS : GRACE_MS;
    return asked === 'silent' && now < last + graceMs ? 'later' : 'done';
  }
}

/** Whether its due work closes it at the provider, which is no question. */
export function isClosing({ status, request }: Collection): boolean {
  return status === 'FAILED' && request?.state !== 'closed';
}

function plannedAs({ due_at: at, attempts: position }: DueWork): { at: Date; position: number } {
  return { at, position };
}
