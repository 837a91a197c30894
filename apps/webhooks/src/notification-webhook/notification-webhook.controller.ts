import {
  changeNotificationWebhook,
  changeUpstreamWebhook,
  createdNotificationWebhook,
  createNotificationWebhook,
  createUpstreamWebhook,
  deletedNotificationWebhook,
  eventPattern,
  found,
  idInPath,
  isEventType,
  notificationWebhook,
  patternsFor,
  prefixedId,
  webhookDelivery,
  type ChangeNotificationWebhookDto,
  type CreateNotificationWebhookDto,
  type NotificationWebhookDto,
  type WebhookDeliveryDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import {
  CallerOf,
  listOf,
  listQuery,
  listSchema,
  widerForUpstream,
  type Caller,
} from '@fundrail/service-kit/http';
import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { ChangeNotificationWebhook } from './change-notification-webhook.ts';
import { CreateNotificationWebhook } from './create-notification-webhook.ts';
import { DeleteNotificationWebhook } from './delete-notification-webhook.ts';
import { toNotificationWebhook } from './notification-webhook.ts';
import { findWebhook, listWebhooks } from './notification-webhook.repository.ts';
import { RotateSecret } from './rotate-secret.ts';
import { SendTestEvent } from './send-test-event.ts';

const query = listQuery({
  starting_after: prefixedId('notificationWebhook').optional(),
  event: eventPattern.optional(),
});
const creation = widerForUpstream(createNotificationWebhook, createUpstreamWebhook);
const change = widerForUpstream(changeNotificationWebhook, changeUpstreamWebhook);
const known = (id: string) => idInPath('notificationWebhook', id);
const answers = { status: 200, description: 'The endpoint.', standardSchema: notificationWebhook };

/** HOOK-1: a tenant's endpoints. */
@ApiTags('Webhooks')
@Controller('v2/notification_webhooks')
export class NotificationWebhookController {
  constructor(
    private readonly database: Database,
    private readonly createWebhook: CreateNotificationWebhook,
    private readonly changeWebhook: ChangeNotificationWebhook,
    private readonly deleteWebhook: DeleteNotificationWebhook,
    private readonly sendTestEvent: SendTestEvent,
    private readonly rotateSecret: RotateSecret,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Create an endpoint',
    description:
      'The response contains the signing secret, which is shown only once. Deliveries are signed as in Standard Webhooks. `events` selects the events; `url` must use https, except for localhost in the sandbox.',
  })
  @ApiResponse({
    ...answers,
    description: 'The endpoint with its secret.',
    standardSchema: createdNotificationWebhook,
  })
  create(
    @CallerOf() caller: Caller,
    @Body({ schema: creation }) body: CreateNotificationWebhookDto,
  ): Promise<NotificationWebhookDto & { secret: string }> {
    return this.createWebhook.execute(caller, body);
  }

  @Get()
  @ApiOperation({ summary: 'List endpoints, newest first', description: 'Secrets are not included.' })
  @ApiResponse({ ...answers, description: 'Newest first.', standardSchema: listSchema(notificationWebhook) })
  async list(@CallerOf() caller: Caller, @Query({ schema: query }) asked: z.output<typeof query>) {
    const { event, ...page } = asked;
    const rows = await listWebhooks(this.database, caller.tenant, { ...page, patterns: patternsOf(event) });
    return listOf(rows.map(toNotificationWebhook));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get an endpoint', description: 'The secret is not included.' })
  @ApiResponse(answers)
  async get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<NotificationWebhookDto> {
    return toNotificationWebhook(found(await findWebhook(this.database, caller.tenant, known(id))));
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Update an endpoint',
    description:
      'Omitted fields keep their values. `status: enabled` enables a disabled endpoint for new events. With a new `url`, pending deliveries are sent there immediately.',
  })
  @ApiResponse(answers)
  change(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: change }) body: ChangeNotificationWebhookDto,
  ): Promise<NotificationWebhookDto> {
    return this.changeWebhook.execute(caller.tenant, known(id), body);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Delete an endpoint', description: 'Pending deliveries are cancelled.' })
  @ApiResponse({
    ...answers,
    description: 'The endpoint was deleted.',
    standardSchema: deletedNotificationWebhook,
  })
  async remove(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
  ): Promise<z.output<typeof deletedNotificationWebhook>> {
    await this.deleteWebhook.execute(caller.tenant, known(id));
    return { object: 'notification_webhook', id, deleted: true };
  }

  @Post(':id/rotate_secret')
  @ApiOperation({
    summary: 'Rotate the secret',
    description:
      'The response contains the new secret, which is shown only once. For 24 hours, each delivery carries the signatures of both secrets, so that you can update your receiver without losing a delivery.',
  })
  @ApiResponse({
    ...answers,
    description: 'The endpoint with its new secret.',
    standardSchema: createdNotificationWebhook,
  })
  rotate(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
  ): Promise<NotificationWebhookDto & { secret: string }> {
    return this.rotateSecret.execute(caller, known(id));
  }

  @Post(':id/test')
  @ApiOperation({
    summary: 'Send a test event',
    description: 'Sends a `notification_webhook.test` event to this endpoint, signed like any other.',
  })
  @ApiResponse({
    status: 200,
    description: 'The delivery of the test event.',
    standardSchema: webhookDelivery,
  })
  test(@CallerOf() caller: Caller, @Param('id') id: string): Promise<WebhookDeliveryDto> {
    return this.sendTestEvent.execute(caller, known(id));
  }
}

/** A type matches the endpoints that would receive it; a pattern matches those that have this pattern. */
function patternsOf(event: string | undefined): string[] | null {
  if (event === undefined) return null;
  return isEventType(event) ? patternsFor(event) : [event];
}
