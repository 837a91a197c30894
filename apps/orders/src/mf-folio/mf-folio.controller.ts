import { listMfFolios, mfFolioList, type ListMfFolios } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, listOf, type Caller } from '@fundrail/service-kit/http';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { listFolios } from './mf-folio.repository.ts';

/** ORD-35: the folios that successful orders show. */
@ApiTags('MF folios')
@Controller('v2/mf_folios')
export class MfFolioController {
  constructor(private readonly database: Database) {}

  @Get()
  @ApiOperation({
    summary: 'List folios, by investment account and number',
    description:
      'A folio is listed from its first successful order on. Folios that were opened elsewhere are listed once an order in them was successful here.',
  })
  @ApiResponse({ status: 200, description: 'the folios', standardSchema: mfFolioList })
  async list(@CallerOf() caller: Caller, @Query({ schema: listMfFolios }) query: ListMfFolios) {
    return listOf(await listFolios(this.database, caller.tenant, query));
  }
}
