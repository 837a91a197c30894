import { beginAudit, endAudit, type BeginAudit, type EndAudit } from '@fundrail/contracts';
import { Clock, Database } from '@fundrail/service-kit/db';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, Param, ParseIntPipe, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { insertAuditEntry, setAuditStatus } from './audit.repository.ts';

/** Starts the audit rows of services of the previous release, and completes every row. */
@ApiExcludeController()
@Internal()
@Controller('internal/audit_entries')
export class InternalAuditController {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Post()
  async begin(@Body({ schema: beginAudit }) call: BeginAudit): Promise<{ id: number }> {
    const row = { ...call, acted_in: null, at: this.clock.now(), status: null };
    return { id: await insertAuditEntry(this.database, row) };
  }

  @Post(':id/status')
  async end(
    @Param('id', ParseIntPipe) id: number,
    @Body({ schema: endAudit }) { status }: EndAudit,
  ): Promise<{ ended: true }> {
    await setAuditStatus(this.database, id, status);
    return { ended: true };
  }
}
