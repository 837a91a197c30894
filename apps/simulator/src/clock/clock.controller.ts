import { istTimestamp } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf } from '@fundrail/service-kit/http';
import type { Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { BusinessClock } from './business-clock.ts';
import { businessTime, moveClockRequest, targetOf } from './clock.dto.ts';
import type { MoveClockRequest } from './clock.dto.ts';

@ApiTags('Sandbox')
@Controller('sandbox/clock')
export class ClockController {
  constructor(
    private readonly clock: BusinessClock,
    private readonly db: Database,
  ) {}

  @Get()
  @ApiOperation({
    summary: "Read the sandbox's business time",
    description: 'Sandbox only. It runs with the wall clock from wherever it was moved to.',
  })
  @ApiResponse({ status: 200, description: 'Business time', standardSchema: businessTime })
  async read() {
    return { now: istTimestamp(await this.clock.now()) };
  }

  /** Answers when every service has taken the new time and what fell due on the way has been worked. */
  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: "Move the sandbox's business time forward",
    description:
      'Sandbox only. Everything that falls due on the way happens, in its order and at its own time.',
  })
  @ApiResponse({
    status: 200,
    description: 'Everything on the way has been worked',
    standardSchema: businessTime,
  })
  async move(@CallerOf() caller: Caller, @Body({ schema: moveClockRequest }) request: MoveClockRequest) {
    await this.clock.move((now) => targetOf(request, now));
    return this.db.transaction((tx) => caller.answer(tx, { now: istTimestamp(tx.now) }));
  }
}
