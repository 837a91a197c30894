import type { CreatedDebitDto, DebitMandateRequest } from '@fundrail/contracts';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { PaymentIds } from '../payment/payment-ids.ts';
import { RaiseDebit } from './raise-debit.ts';

/** `POST /nach`: a client debits a mandate for one order. The key is completed with the debit. */
@Injectable()
export class CreateDebit {
  constructor(
    private readonly ids: PaymentIds,
    private readonly raise: RaiseDebit,
  ) {}

  /** Throws as `RaiseDebit`. */
  async execute(
    caller: Caller,
    { mandate_id, amc_order_ids }: DebitMandateRequest,
  ): Promise<CreatedDebitDto> {
    const { id } = await this.ids.drawFor(caller);
    return this.raise.execute({
      id,
      tenant: caller.tenant,
      mandate_id,
      old_id: amc_order_ids[0] ?? 0,
      answer: (tx) => caller.answer(tx, { id }),
    });
  }
}
