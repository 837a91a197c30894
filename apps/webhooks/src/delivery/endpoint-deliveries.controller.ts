import {
  DELIVERY_STATUSES,
  eventPattern,
  found,
  idInPath,
  objectFilters,
  oneObject,
  prefixedId,
  typesAsked,
  webhookDelivery,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, listOf, listQuery, listSchema, type Caller } from '@fundrail/service-kit/http';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { findWebhook } from '../notification-webhook/notification-webhook.repository.ts';
import { toWebhookDelivery } from './delivery.ts';
import { listAttempts } from './attempt.repository.ts';
import { listDeliveries, type DeliveryQuery } from './delivery.repository.ts';

const eventId = prefixedId('event');
const query = listQuery({
  starting_after: prefixedId('webhookDelivery').optional(),
  status: z.enum(DELIVERY_STATUSES).optional(),
  /** An event's id, or a type or pattern of types. */
  event: z.union([eventId, eventPattern], 'must be the id of an event, or a type').optional(),
  ...objectFilters,
}).superRefine(oneObject);

/** HOOK-24: the deliveries to an endpoint and their results. */
@ApiTags('Webhooks')
@Controller('v2/notification_webhooks')
export class EndpointDeliveriesController {
  constructor(private readonly database: Database) {}

  @Get(':id/deliveries')
  @ApiOperation({
    summary: 'List the deliveries to an endpoint, newest first',
    description:
      'Each delivery includes its attempts, with the status, duration and first bytes of each response.',
  })
  @ApiResponse({
    status: 200,
    description: 'Deliveries, newest first.',
    standardSchema: listSchema(webhookDelivery),
  })
  async list(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: query }) asked: z.output<typeof query>,
  ) {
    const { tenant } = caller;
    const webhook = found(await findWebhook(this.database, tenant, idInPath('notificationWebhook', id)));
    const [rows, attempts] = await this.database.snapshot(async (tx) => {
      const page = await listDeliveries(tx, webhook, toDeliveryQuery(asked));
      return [page, await listAttempts(tx, tenant, page)] as const;
    });
    const byDelivery = Map.groupBy(attempts, (attempt) => attempt.delivery);
    return listOf(rows.map((row) => toWebhookDelivery(row, byDelivery.get(row.id) ?? [])));
  }
}

function toDeliveryQuery(asked: z.output<typeof query>): DeliveryQuery {
  const { event = null } = asked;
  const isId = event !== null && eventId.safeParse(event).success;
  return {
    limit: asked.limit,
    starting_after: asked.starting_after ?? null,
    status: asked.status ?? null,
    event: isId ? event : null,
    types: typesAsked(event === null || isId ? undefined : event, asked.object_type),
    object_id: asked.object_id ?? null,
  };
}
