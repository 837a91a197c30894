import { auditEntry } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { listOf, listQuery, listSchema, RequireScope } from '@fundrail/service-kit/http';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { listAuditEntries, toAuditEntry } from './audit.repository.ts';

const query = listQuery({
  starting_after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the id of an entry')
    .optional(),
});

/** ADMIN-9: the record of calls with the admin scope. */
@ApiTags('Administration')
@Controller('admin/audit')
@RequireScope('admin')
export class AuditController {
  constructor(private readonly database: Database) {}

  @Get()
  @ApiOperation({
    operationId: 'listAuditEntries',
    summary: 'List the calls of operators, newest first',
    description:
      'Lists each call of a route that needs the scope admin, each use of such a token in another tenant, each refusal of these, each response with full account numbers, and each export and erasure of an investor. An entry contains the caller, the tenant and the result. The same refusals within a minute are one entry with a count.',
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
