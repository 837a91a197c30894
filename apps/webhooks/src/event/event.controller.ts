import {
  event,
  eventPattern,
  found,
  idInPath,
  moment,
  objectFilters,
  oneObject,
  parseJson,
  prefixedId,
  typesAsked,
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
  ...objectFilters,
  from: moment.optional(),
  to: moment.optional(),
}).superRefine(oneObject);

/** EVT-7: every public event of the last 30 days. */
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
    description:
      'Returns the same objects that webhooks carry, so that you can catch up on missed events. Payments and mandates are numbered ' +
      'separately, so a numeric `object_id` needs an `object_type`.',
  })
  @ApiResponse({ status: 200, description: 'Events, newest first.', standardSchema: listSchema(event) })
  async list(@CallerOf() caller: Caller, @Query({ schema: query }) asked: z.output<typeof query>) {
    const rows = await listEvents(this.database, caller.tenant, toEventQuery(asked), this.clock.now());
    return listOf(rows.map((row) => parseJson(row.body)));
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Get an event',
    description:
      "Returns the event as its webhook carries it. 404 when it is older than 30 days, unknown or another tenant's.",
  })
  @ApiResponse({ status: 200, description: 'The event.', standardSchema: event })
  async get(@CallerOf() caller: Caller, @Param('id') text: string): Promise<unknown> {
    const id = idInPath('event', text);
    const { body } = found(await findEvent(this.database, caller.tenant, id, this.clock.now()));
    return parseJson(body);
  }
}

function toEventQuery(asked: z.output<typeof query>): EventQuery {
  return {
    limit: asked.limit,
    starting_after: asked.starting_after ?? null,
    types: typesAsked(asked.type, asked.object_type),
    object_id: asked.object_id ?? null,
    from: asked.from === undefined ? null : startOf(asked.from),
    to: asked.to === undefined ? null : endOf(asked.to),
  };
}
