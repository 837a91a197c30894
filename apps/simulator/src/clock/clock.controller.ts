import { CallerOf, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { businessTime, moveClockRequest, readClockQuery, type MoveClockRequest } from './clock.dto.ts';
import { MoveClock } from './move-clock.ts';
import { ReadClock } from './read-clock.ts';

@ApiTags('Sandbox')
@Controller('sandbox/clock')
export class ClockController {
  constructor(
    private readonly reading: ReadClock,
    private readonly moving: MoveClock,
  ) {}

  @Get()
  @ApiOperation({
    summary: "Get the sandbox's business time",
    description:
      'Sandbox only. Business time runs at the speed of real time from the point it was moved to. During a move, the response ' +
      'contains the target and what the move waits for. Pass `job` to get a specific move.',
  })
  @ApiResponse({ status: 200, description: 'Business time', standardSchema: businessTime })
  read(
    @CallerOf() caller: Caller,
    @Query({ schema: readClockQuery }) { job }: z.output<typeof readClockQuery>,
  ) {
    return this.reading.execute(caller.tenant, job ?? null);
  }

  /** 200 when every service has the new time and all work that fell due is done; 202 when that takes longer. */
  @Post()
  @ApiOperation({
    operationId: 'moveSandboxClock',
    summary: "Move the sandbox's business time forward",
    description:
      'Sandbox only. Everything that falls due on the way happens in order and at its own time. Moves run one at a time: ' +
      '`advance` starts where the previous move ends. Repeating a request with its Idempotency-Key does not start a second move, ' +
      'nor does repeating `now` with the same target. A move continues when the client disconnects, and after a restart.',
  })
  @ApiResponse({
    status: 200,
    description: 'Everything that fell due on the way is done',
    standardSchema: businessTime,
  })
  @ApiResponse({
    status: 202,
    description:
      'The move takes longer than 10 s and continues; GET the path in `follow` to read its progress',
    standardSchema: businessTime,
  })
  async move(
    @CallerOf() caller: Caller,
    @Body({ schema: moveClockRequest }) request: MoveClockRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { status, body } = await this.moving.execute(caller, request);
    void reply.code(status);
    return body;
  }
}
