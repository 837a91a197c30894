import {
  drawInstallment,
  found,
  tenantName,
  type DrawInstallment as Asked,
  type DrawResult,
  type SkippedDays,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { z } from 'zod';
import { findSkip } from '../skip/skip.repository.ts';
import { DrawInstallment } from './draw-installment.ts';

const ofTenant = z.strictObject({ tenant: tenantName });

/** The internal endpoint for orders (CALL-6); no edge routes it. Replicas of the release before call it by the former name. */
@ApiExcludeController()
@Internal()
@Controller(['internal/plans', 'internal/swp'])
export class InternalController {
  constructor(
    private readonly draw: DrawInstallment,
    private readonly database: Database,
  ) {}

  @Post('installments')
  @HttpCode(200)
  drawOne(@Body({ schema: drawInstallment }) asked: Asked): Promise<DrawResult> {
    return this.draw.execute(asked);
  }

  @Get('skip_instructions/:id')
  async skippedBy(
    @Param('id') id: string,
    @Query({ schema: ofTenant }) { tenant }: z.output<typeof ofTenant>,
  ): Promise<SkippedDays> {
    const { plan_id, from_date, to_date, last_day } = found(await findSkip(this.database, tenant, id));
    return { plan: plan_id, from: from_date, to: earlier(to_date, last_day) };
  }
}

/** The earlier of two days; null is none. */
function earlier(one: string | null, other: string | null): string | null {
  return one !== null && other !== null ? (one < other ? one : other) : (one ?? other);
}
