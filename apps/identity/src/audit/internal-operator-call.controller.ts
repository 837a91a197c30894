import {
  beginOperatorCall,
  beginOperatorCallQuery,
  repeatedRefusals,
  type BeginOperatorCall,
  type OperatorCallStarted,
  type RepeatedRefusals,
} from '@fundrail/contracts';
import { Clock, Database } from '@fundrail/service-kit/db';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, Param, ParseIntPipe, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { z } from 'zod';
import { findTenant } from '../tenant/tenant.repository.ts';
import { addAuditTimes, insertAuditEntry } from './audit.repository.ts';

/** The record of the operators' calls in all services, and of their refusals (decision 0032). */
@ApiExcludeController()
@Internal()
@Controller('internal/operator_calls')
export class InternalOperatorCallController {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The row is written even if the tenant does not exist. The same call sent again gets the same row. */
  @Post()
  async begin(
    @Body({ schema: beginOperatorCall }) body: BeginOperatorCall,
    @Query({ schema: beginOperatorCallQuery }) { call }: z.output<typeof beginOperatorCallQuery>,
  ): Promise<OperatorCallStarted> {
    const { named_tenant, ...row } = body;
    const id = await insertAuditEntry(this.database, { ...row, at: this.clock.now() }, call ?? null);
    const isKnown = named_tenant === null || (await findTenant(this.database, named_tenant)) !== null;
    return { id, is_tenant_known: isKnown };
  }

  @Post(':id/repeats')
  async repeated(
    @Param('id', ParseIntPipe) id: number,
    @Body({ schema: repeatedRefusals }) { more }: RepeatedRefusals,
  ): Promise<{ ended: true }> {
    await addAuditTimes(this.database, id, more);
    return { ended: true };
  }
}
