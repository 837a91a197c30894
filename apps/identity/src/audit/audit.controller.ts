import { auditEntry } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { AuditInterceptor, listOf, listQuery, listSchema, RequireScope } from '@fundrail/service-kit/http';
import { Controller, Get, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { listAuditEntries, toAuditEntry } from './audit.repository.ts';

const query = listQuery({
  starting_after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the id of an entry')
    .optional(),
});

/** Contract §8: who did what with the admin scope. */
@ApiTags('Administration')
@Controller('admin/audit')
@RequireScope('admin')
@UseInterceptors(AuditInterceptor)
export class AuditController {
  constructor(private readonly database: Database) {}

  @Get()
  @ApiOperation({
    summary: 'List the calls of operators, newest first',
    description:
      'Every call of a route that only the scope admin may use, with who made it and what came of it.',
  })
  @ApiResponse({
    status: 200,
    description: 'The calls, newest first.',
    standardSchema: listSchema(auditEntry),
  })
  async list(@Query({ schema: query }) asked: z.output<typeof query>) {
    const before = asked.starting_after === undefined ? null : Number(asked.starting_after);
    return listOf((await listAuditEntries(this.database, asked.limit, before)).map(toAuditEntry));
  }
}
