import { admitDebit, ApiError, cancelDebit, integerId, releaseDebit } from '@fundrail/contracts';
import type {
  AdmitDebit as DebitAsked,
  CancelDebit,
  CancelledDebit,
  DebitResult,
  ReleaseDebit,
  TracedDebit,
} from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { z } from 'zod';
import { AdmitDebit } from './admit-debit.ts';
import { EndDebit } from './end-debit.ts';
import { TraceDebit } from './trace-debit.ts';

const ofTenant = z.strictObject({ tenant: z.string() });

/** The internal endpoints about debits, for payments (CALL-6); no edge routes them. */
@ApiExcludeController()
@Internal()
@Controller('internal/mandates/debits')
export class DebitController {
  constructor(
    private readonly admissions: AdmitDebit,
    private readonly ends: EndDebit,
    private readonly traces: TraceDebit,
  ) {}

  @Post()
  @HttpCode(200)
  admit(@Body({ schema: admitDebit }) asked: DebitAsked): Promise<DebitResult> {
    return this.admissions.execute(asked);
  }

  @Post('release')
  @HttpCode(200)
  async release(@Body({ schema: releaseDebit }) asked: ReleaseDebit): Promise<{ released: boolean }> {
    return { released: await this.ends.release(asked) };
  }

  @Post('cancel')
  @HttpCode(200)
  async cancel(@Body({ schema: cancelDebit }) asked: CancelDebit): Promise<CancelledDebit> {
    return { outcome: await this.ends.cancel(asked) };
  }

  @Get(':payment_id/trace')
  trace(
    @Param('payment_id') id: string,
    @Query({ schema: ofTenant }) { tenant }: { tenant: string },
  ): Promise<TracedDebit> {
    const { success, data: payment_id } = integerId.safeParse(Number(id));
    if (!success) throw new ApiError('NOT_FOUND');
    return this.traces.execute({ tenant, payment_id });
  }
}
