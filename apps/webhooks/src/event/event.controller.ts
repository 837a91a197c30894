import {
  ApiError,
  event,
  eventPattern,
  moment,
  parseJson,
  patternsFor,
  plainText,
  prefixedId,
  PUBLIC_EVENT_TYPES,
} from '@fundrail/contracts';
import { Clock, Database } from '@fundrail/service-kit/db';
import { CallerOf, listOf, listQuery, listSchema, type Caller } from '@fundrail/service-kit/http';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { endOf, startOf } from './moment.ts';
import { findEvent, listEvents, type EventQuery } from './event.repository.ts';

const query = listQuery({
  starting_after: prefixedId('event').optional(),
  type: eventPattern.optional(),
  object_id: plainText(64).optional(),
  from: moment.optional(),
  to: moment.optional(),
});
const eventId = prefixedId('event');

/** Contract §6: every public event of the last 30 days. */
@ApiTags('Webhooks')
@Controller('v2/events')
export class EventController {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the public events of the last 30 days, newest first',
    description: 'The same objects that webhooks carry: what a client that missed some can catch up with.',
  })
  @ApiResponse({ status: 200, description: 'Events, newest first.', standardSchema: listSchema(event) })
  async list(@CallerOf() caller: Caller, @Query({ schema: query }) asked: z.output<typeof query>) {
    const rows = await listEvents(this.database, caller.tenant, toEventQuery(asked), this.clock.now());
    return listOf(rows.map((row) => parseJson(row.body)));
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Fetch an event as its webhook told it',
    description: "404 when it is older than 30 days, unknown or another tenant's.",
  })
  @ApiResponse({ status: 200, description: 'The event.', standardSchema: event })
  async get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<unknown> {
    if (!eventId.safeParse(id).success) throw new ApiError('NOT_FOUND');
    const row = await findEvent(this.database, caller.tenant, id, this.clock.now());
    if (!row) throw new ApiError('NOT_FOUND');
    return parseJson(row.body);
  }
}

function toEventQuery(asked: z.output<typeof query>): EventQuery {
  const { type } = asked;
  return {
    limit: asked.limit,
    starting_after: asked.starting_after ?? null,
    types:
      type === undefined ? null : PUBLIC_EVENT_TYPES.filter((known) => patternsFor(known).includes(type)),
    object_id: asked.object_id ?? null,
    from: asked.from === undefined ? null : startOf(asked.from),
    to: asked.to === undefined ? null : endOf(asked.to),
  };
}
