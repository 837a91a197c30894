import type { UpiTransaction } from '@fundrail/policies';
import type { Queryable } from '@fundrail/persistence';
import { askedNow } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { attemptsOf } from '../checkout-page/attempt.repository.ts';
import { upiAttempt } from '../checkout-page/attempt.ts';
import { upiStartOf, type Collection, type UpiStart } from '../collection.ts';

/** What counts for the questions to the provider about a payment by UPI (POL-10). */
@Injectable()
export class UpiQuestions {
  constructor(private readonly config: PaymentsConfig) {}

  /** Null for a payment that is not by UPI. On the page the newest attempt counts. */
  async about(db: Queryable, payment: Collection): Promise<UpiTransaction | null> {
    const start = await this.startOf(db, payment);
    return start && { ...start, early: await askedNow(db, payment) };
  }

  private async startOf(db: Queryable, payment: Collection): Promise<UpiStart | null> {
    const { times } = this.config;
    const byRequest = upiStartOf(payment);
    if (byRequest) return { ...byRequest, firstSeconds: times.firstStatusSeconds };
    return upiAttempt(await attemptsOf(db, payment), times);
  }
}
