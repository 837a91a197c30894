import { ApiError, integerId, type TracedDebit } from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { z } from 'zod';
import { TraceDebit } from './trace-debit.ts';

const ofTenant = z.strictObject({ tenant: z.string() });

/** A debit's part of a payment's trace, for payments, which shows it to operators. */
@ApiExcludeController()
@Internal()
@Controller('internal/mandates/debits')
export class TraceController {
  constructor(private readonly traces: TraceDebit) {}

  /** Throws 404 when this tenant has no such debit. */
  @Get(':payment_id/trace')
  one(
    @Param('payment_id') id: string,
    @Query({ schema: ofTenant }) { tenant }: { tenant: string },
  ): Promise<TracedDebit> {
    const { success, data: payment_id } = integerId.safeParse(Number(id));
    if (!success) throw new ApiError('NOT_FOUND');
    return this.traces.execute({ tenant, payment_id });
  }
}
