import { istInstant, type MandateFacts, type PaymentDto, type PaymentFailureCode } from '@fundrail/contracts';
import { MandateProviders, mandatesService, mandatesWiring } from '@fundrail/mandates';
import { InProcessBus } from '@fundrail/messaging';
import { PaymentsStage, type FakeOrder, type FakeProvider } from '@fundrail/payments/testing';
import {
  attemptReference,
  paymentReference,
  type NoticeStatus,
  type ProviderPaymentStatus,
} from '@fundrail/providers';
import type { ServiceDefinition } from '@fundrail/service-kit';
import type { ServiceTransport } from '@fundrail/service-kit/http';
import { InProcessTransport } from '@fundrail/standalone';
import { ServiceStage, startService, waitFor, type StartedService } from '@fundrail/testing';
import { Module } from '@nestjs/common';

export const HOUR_MS = 3_600_000;
/** From an execution by UPI to the first question about it, and from each question to the next; then they are hourly (POL-10). */
export const QUESTIONS_MS = [90_000, 510_000, 3_000_000, 3_900_000] as const;
const INVESTOR = `invp_${'a'.repeat(32)}`;

/** The provider's refusal of a call. */
export const no = (failure_code: PaymentFailureCode) => ({ kind: 'no', failure_code, message: 'x' }) as const;

/** The status of an attempt without money, as the bank reports it. */
export const failed = (failure_code: PaymentFailureCode) =>
  ({ status: 'failed', failure_code, message: 'x' }) as const;

/** A mandate in the database of mandates. */
type PlayedMandate = Pick<MandateFacts, 'id' | 'tenant' | 'mandate_type' | 'provider_name' | 'valid_to'> & {
  readonly mandate_token: string;
};

/** The stored debit, as far as specs read it. */
interface DebitRow {
  readonly state: string;
  readonly execute_at: Date;
  readonly notified_at: Date | null;
  readonly notice_proof: string | null;
  readonly notice_number: number;
  readonly notice_withdrawn_at: Date | null;
}

interface AttemptRow {
  readonly number: number;
  readonly state: string;
  readonly failure_code: string | null;
  readonly ended_at: Date | null;
}

/**
 * Mandates and payments with an approved mandate and an order, and functions to play their debit. Orders, identity and the providers are
 * fakes. The clock is at 2026-12-21 10:00 IST, a Monday. 25 hours later is 11:00, and the next window starts at 13:00.
 */
export class DebitPlay extends ServiceStage {
  mandate!: PlayedMandate;
  readonly order: FakeOrder;
  /** The calls of mandates whose effect happens but whose answer is lost. */
  losesAnswers: RegExp | null = null;
  private readonly others: ServiceStage[] = [];
  private nextMandate = 501;

  private constructor(
    started: StartedService,
    readonly stage: PaymentsStage,
    private readonly variables: Readonly<Record<string, string>>,
  ) {
    super(started);
    this.order = stage.neighbours.anOrder();
    stage.beside.push(...started.replicas);
  }

  static async start(variables: Readonly<Record<string, string>> = {}): Promise<DebitPlay> {
    const bus = new InProcessBus({ groups: ['payments', 'mandates'] });
    const stage = await PaymentsStage.start(variables, bus);
    const around = { clock: stage.clock, transport: transportOf(stage), variables, bus };
    const play = new DebitPlay(await startService(mandatesOver(stage), around), stage, variables);
    const real = new InProcessTransport();
    real.add('mandates', play.service.fastify);
    stage.neighbours.realMandates = async (request) => {
      const answer = await real.request('mandates', request);
      if (play.losesAnswers?.test(request.path)) throw new Error('socket hang up');
      return answer;
    };
    play.mandate = await play.anApproved();
    return play;
  }

  /** Another replica of mandates, with the same providers. It consumes no events. */
  async addMandates(): Promise<void> {
    const { stage, clock, variables, testDatabase } = this;
    const around = { clock, transport: transportOf(stage), variables, beside: testDatabase };
    const other = new ServiceStage(await startService(mandatesOver(stage), around));
    this.others.push(other);
    stage.beside.push(...other.replicas);
  }

  override async stop(): Promise<void> {
    await Promise.all(this.others.map((other) => other.stop()));
    await super.stop();
    await this.stage.stop();
  }

  /** The provider of the mandate. */
  get bank(): FakeProvider['mandates'] {
    return this.mandate.provider_name === 'SDKVENDOR'
      ? this.stage.sdkvendor.mandates
      : this.stage.provider.mandates;
  }

  /** A mandate that may be debited. */
  async anApproved(
    changes: Partial<PlayedMandate> & {
      readonly valid_from?: string;
      readonly mandate_status?: 'PAUSED' | 'CANCELLED';
      readonly investor_profile?: string;
    } = {},
  ): Promise<PlayedMandate> {
    const id = this.nextMandate++;
    const mandate: PlayedMandate = {
      id,
      tenant: 'demo',
      mandate_type: 'UPI',
      provider_name: 'GATEWAYPOA',
      valid_to: '2056-12-01',
      mandate_token: `token_${id}`,
      ...changes,
    };
    const investor = changes.investor_profile ?? INVESTOR;
    await this.rows(
      `INSERT INTO mandates (id, mandate_ref, tenant, bank_account_id, investor_profile, mandate_type, mandate_status,
         mandate_limit, valid_from, valid_to, provider_name, mandate_token, created_at, approved_at, event_seq)
       VALUES ($1, $2, $3, 7, $4, $5, 'APPROVED', 10000, $6, $7, $8, $9, $10, $10, 2)`,
      ...[id, `man_${String(id).padStart(32, '0')}`, mandate.tenant, investor, mandate.mandate_type],
      ...[changes.valid_from ?? '2026-12-01', mandate.valid_to, mandate.provider_name, mandate.mandate_token],
      this.clock.now(),
    );
    if (changes.mandate_status) await this.becomes(changes.mandate_status, mandate);
    return mandate;
  }

  /** Sets the state of a mandate without a report. */
  async becomes(status: 'PAUSED' | 'CANCELLED', { id } = this.mandate): Promise<void> {
    const at = status === 'PAUSED' ? 'paused_at' : 'cancelled_at';
    await this.rows(
      `UPDATE mandates SET mandate_status = $2, ${at} = $3, doubted_at = NULL WHERE id = $1`,
      ...[id, status, this.clock.now()],
    );
  }

  /** Puts the mandate in doubt, or ends the doubt. */
  async doubt(isDoubted: boolean): Promise<void> {
    const at = isDoubted ? this.clock.now() : null;
    await this.rows('UPDATE mandates SET doubted_at = $2 WHERE id = $1', this.mandate.id, at);
  }

  /** The mandate is cancelled by its client, or its last day is over. Resolves when its debits have ended. */
  async mandateEnds(mandate: PlayedMandate, how: 'mandate.cancelled' | 'mandate.expired'): Promise<void> {
    if (how === 'mandate.cancelled') {
      const url = `/api/pg/mandates/${mandate.id}/cancel`;
      const { status } = await this.ask('POST', url, { tenant: mandate.tenant });
      if (status !== 200) throw new Error(`the mandate was not cancelled: ${status}`);
    } else {
      await this.rows(
        `UPDATE mandates SET valid_from = '2026-12-01', valid_to = '2026-12-02' WHERE id = $1`,
        mandate.id,
      );
      await this.rows(
        `INSERT INTO due_work (kind, key, tenant, due_at) VALUES ('mandate.expire', $1, $2, $3)`,
        ...[String(mandate.id), mandate.tenant, this.clock.now()],
      );
    }
    const ended = how === 'mandate.cancelled' ? 'CANCELLED' : 'EXPIRED';
    await waitFor(
      async () => {
        this.stage.wake();
        const due = await this.rows(
          `SELECT 1 FROM due_work WHERE kind IN ('mandate.expire', 'mandate.end_debits') AND key = $1 AND due_at <= $2`,
          ...[String(mandate.id), this.clock.now()],
        );
        const rows = await this.rows(
          'SELECT 1 FROM mandates WHERE id = $1 AND mandate_status = $2',
          mandate.id,
          ended,
        );
        return due.length === 0 && rows.length === 1;
      },
      { what: `mandate ${mandate.id} to be ${ended}` },
    );
    await this.stage.published();
  }

  override wake(): void {
    this.stage.wake();
  }

  /** Waits until the query finds something at mandates. */
  override async untilRows(text: string): Promise<void> {
    await super.untilRows(text);
    await this.stage.published();
  }

  async row(id: number): Promise<DebitRow> {
    const [row] = await this.rows<DebitRow>('SELECT * FROM mandate_debits WHERE payment_id = $1', id);
    if (!row) throw new Error(`no debit ${id}`);
    return row;
  }

  attempts(id: number): Promise<AttemptRow[]> {
    return this.rows('SELECT * FROM debit_attempts WHERE payment_id = $1 ORDER BY number', id);
  }

  /** The payments whose debit holds its order under a mandate. */
  async held(): Promise<number[]> {
    const rows = await this.rows<{ payment_id: number }>(
      `SELECT payment_id FROM mandate_debits WHERE state NOT IN ('failed', 'cancelled', 'released')`,
    );
    return rows.map(({ payment_id }) => payment_id);
  }

  /** When the due work of that kind is due at mandates, or null when there is none. */
  async dueAt(kind: string): Promise<Date | null> {
    const [row] = await this.rows<{ due_at: Date }>('SELECT due_at FROM due_work WHERE kind = $1', kind);
    return row?.due_at ?? null;
  }

  async raised(of: Pick<PlayedMandate, 'id'> = this.mandate, on = this.order): Promise<number> {
    const answer = await this.stage.debit(of.id, on);
    if (answer.status !== 200) throw new Error(answer.body);
    await this.stage.published();
    return answer.json<{ id: number }>().id;
  }

  /** A debit with its notice sent. */
  async notified(): Promise<number> {
    const id = await this.raised();
    await this.stage.orderBecomes(this.order, 'submitted');
    await this.untilRows('SELECT 1 FROM mandate_debits WHERE notified_at IS NOT NULL');
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
    return this.stage.pass(at.getTime() - this.clock.now().getTime());
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

/** Mandates with the fake providers of payments. */
function mandatesOver({ provider, sdkvendor }: PaymentsStage): ServiceDefinition {
  @Module(
    mandatesWiring({ provide: MandateProviders, useValue: new MandateProviders([provider, sdkvendor]) }),
  )
  class MandatesWithFakeProviders {}
  return { ...mandatesService, module: MandatesWithFakeProviders };
}

/** What mandates calls: the real payments, and fakes of the others. */
function transportOf({ service, neighbours }: PaymentsStage): ServiceTransport {
  const real = new InProcessTransport();
  real.add('payments', service.fastify);
  return {
    request: (to, request) => (to === 'payments' ? real : neighbours).request(to, request),
    close: () => real.close(),
  };
}
