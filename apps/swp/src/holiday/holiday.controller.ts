import { holidayYear, replaceHolidays } from '@fundrail/contracts';
import type { HolidayYearDto, ReplaceHolidays as Asked } from '@fundrail/contracts';
import { AuditInterceptor, CallerOf, RequireScope, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Post, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ReplaceHolidays } from './replace-holidays.ts';

/** Contract §8: the holiday list, a year at a time. */
@ApiTags('Administration')
@Controller('admin/holidays')
@RequireScope('admin')
@UseInterceptors(AuditInterceptor)
export class HolidayController {
  constructor(private readonly replace: ReplaceHolidays) {}

  @Post()
  @ApiOperation({
    summary: 'Replace the holidays of a year',
    description:
      'The dates of plans that come after are moved by the new list; installments that were made stay as they are.',
  })
  @ApiResponse({ status: 200, description: 'The year as it now is', standardSchema: holidayYear })
  replaceYear(
    @CallerOf() caller: Caller,
    @Body({ schema: replaceHolidays }) asked: Asked,
  ): Promise<HolidayYearDto> {
    return this.replace.execute(caller, asked);
  }
}
