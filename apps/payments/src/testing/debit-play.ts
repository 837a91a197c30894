import { istInstant, type PaymentDto, type PaymentFailureCode } from '@fundrail/contracts';
import type { NoticeStatus, ProviderPaymentStatus } from '@fundrail/providers';
import { waitFor } from '@fundrail/testing';
import type { AttemptRow, DebitRow } from '../debit/debit.tables.ts';
import { attemptReference, paymentReference } from '../payment/references.ts';
import type { FakeMandate } from './fake-mandates.ts';
import type { FakeOrder } from './fake-neighbours.ts';
import type { FakeProvider } from './fake-provider.ts';
import { PaymentsStage } from './start-payments.ts';

export const HOUR_MS = 3_600_000;

/** The provider's refusal of a call. */
export const no = (failure_code: PaymentFailureCode) => ({ kind: 'no', failure_code, message: 'x' }) as const;

/** The status of an attempt without money, as the bank reports it. */
export const failed = (failure_code: PaymentFailureCode) =>
  ({ status: 'failed', failure_code, message: 'x' }) as const;

/**
 * The service with an approved mandate and an order, and functions to play their debit. The clock is at 2026-12-21 10:00 IST, a Monday.
 * 25 hours later is 11:00, and the next window starts at 13:00.
 */
export class DebitPlay {
  mandate: FakeMandate;
  readonly order: FakeOrder;

  private constructor(readonly stage: PaymentsStage) {
    this.mandate = stage.neighbours.mandates.anApproved();
    this.order = stage.neighbours.anOrder();
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<DebitPlay> {
    return new DebitPlay(await PaymentsStage.start(env));
  }

  end(): Promise<void> {
    return this.stage.stop();
  }

  /** The provider of the mandate. */
  get provider(): FakeProvider {
    return this.mandate.provider_name === 'SDKVENDOR' ? this.stage.sdkvendor : this.stage.provider;
  }

  get bank(): FakeProvider['mandates'] {
    return this.provider.mandates;
  }

  async row(id: number): Promise<DebitRow> {
    const [row] = await this.stage.rows<DebitRow>('SELECT * FROM debits WHERE payment_id = $1', id);
    if (!row) throw new Error(`no debit ${id}`);
    return row;
  }

  attempts(id: number): Promise<AttemptRow[]> {
    return this.stage.rows('SELECT * FROM debit_attempts WHERE payment_id = $1 ORDER BY number', id);
  }

  /** When the due work of that kind is due, or null when there is none. */
  async dueAt(kind: string): Promise<Date | null> {
    const [row] = await this.stage.rows<{ due_at: Date }>(
      'SELECT due_at FROM due_work WHERE kind = $1',
      kind,
    );
    return row?.due_at ?? null;
  }

  async raised(of = this.mandate, on = this.order): Promise<number> {
    const answer = await this.stage.debit(of.id, on);
    if (answer.status !== 200) throw new Error(answer.body);
    return answer.json<{ id: number }>().id;
  }

  /** A debit with its notice sent. */
  async notified(): Promise<number> {
    const id = await this.raised();
    await this.stage.orderBecomes(this.order, 'submitted');
    await this.stage.untilRows('SELECT 1 FROM debits WHERE notified_at IS NOT NULL');
    return id;
  }

  /** A debit whose first attempt has been sent. */
  async executed(): Promise<number> {
    const id = await this.notified();
    await this.passUntil('2026-12-22 13:00');
    await waitFor(() => this.bank.executed.length === 1);
    return id;
  }

  /** Lets time pass until this moment, `2026-12-22 13:00` IST. */
  passUntil(text: string): Promise<void> {
    const at = istInstant(text.slice(0, 10), text.slice(11));
    return this.stage.pass(at.getTime() - this.stage.clock.now().getTime());
  }

  reference(id: number, attempt: number): string {
    return attemptReference(id, attempt);
  }

  /** A callback about an attempt. */
  reportAttempt(id: number, attempt: number, payment: ProviderPaymentStatus) {
    const fact = { about: 'debit', attempt_reference: attemptReference(id, attempt), payment } as const;
    return this.stage.report({ reference: paymentReference(id), fact }, 'good', this.address);
  }

  /** A callback about a notice. */
  reportNotice(id: number, notice: NoticeStatus, notice_number = 1) {
    const fact = { about: 'notice', notice_number, notice } as const;
    return this.stage.report({ reference: paymentReference(id), fact }, 'good', this.address);
  }

  status(id: number, wanted: PaymentDto['status']): Promise<PaymentDto> {
    return this.stage.until(id, (payment) => payment.status === wanted);
  }

  cancel(id: number) {
    return this.stage.send('POST', `/api/pg/payments/${id}/cancel`);
  }

  private get address() {
    return this.mandate.provider_name === 'SDKVENDOR' ? 'sdkvendor' : 'gatewaypoa';
  }
}
