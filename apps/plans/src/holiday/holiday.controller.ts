import { holidayYear, replaceHolidays } from '@fundrail/contracts';
import type { HolidayYearDto, ReplaceHolidays as Asked } from '@fundrail/contracts';
import { CallerOf, RequireScope, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ReplaceHolidays } from './replace-holidays.ts';

/** ADMIN-10: the holiday list, one year at a time. */
@ApiTags('Administration')
@Controller('admin/holidays')
@RequireScope('admin')
export class HolidayController {
  constructor(private readonly replace: ReplaceHolidays) {}

  @Post()
  @ApiOperation({
    operationId: 'replaceHolidays',
    summary: 'Replace the holidays of a year',
    description:
      'Moves the upcoming dates of plans to match the new list. Installments that were already generated do not change.',
  })
  @ApiResponse({ status: 200, description: 'The updated year', standardSchema: holidayYear })
  replaceYear(
    @CallerOf() caller: Caller,
    @Body({ schema: replaceHolidays }) asked: Asked,
  ): Promise<HolidayYearDto> {
    return this.replace.execute(caller, asked);
  }
}
