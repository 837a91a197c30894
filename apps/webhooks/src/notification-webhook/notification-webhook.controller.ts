import {
  ApiError,
  changeNotificationWebhook,
  createdNotificationWebhook,
  createNotificationWebhook,
  deletedNotificationWebhook,
  eventPattern,
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
import { CallerOf, listOf, listQuery, listSchema, type Caller } from '@fundrail/service-kit/http';
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
const webhookId = prefixedId('notificationWebhook');
const answers = { status: 200, description: 'The endpoint.', standardSchema: notificationWebhook };

/** Contract §6: a tenant's endpoints. */
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
    summary: 'Make an endpoint; its secret is shown only now',
    description:
      'Deliveries are signed as Standard Webhooks has it. `events` says which; the address begins with https, but for localhost in the sandbox.',
  })
  @ApiResponse({ ...answers, description: 'With its secret.', standardSchema: createdNotificationWebhook })
  create(
    @CallerOf() caller: Caller,
    @Body({ schema: createNotificationWebhook }) body: CreateNotificationWebhookDto,
  ): Promise<NotificationWebhookDto & { secret: string }> {
    return this.createWebhook.execute(caller, body);
  }

  @Get()
  @ApiOperation({ summary: 'List the endpoints, newest first', description: 'Without their secrets.' })
  @ApiResponse({ ...answers, description: 'Newest first.', standardSchema: listSchema(notificationWebhook) })
  async list(@CallerOf() caller: Caller, @Query({ schema: query }) asked: z.output<typeof query>) {
    const { event, ...page } = asked;
    const rows = await listWebhooks(this.database, caller.tenant, { ...page, patterns: patternsOf(event) });
    return listOf(rows.map(toNotificationWebhook));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Fetch an endpoint', description: 'Without its secret.' })
  @ApiResponse(answers)
  async get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<NotificationWebhookDto> {
    const row = await findWebhook(this.database, caller.tenant, known(id));
    if (!row) throw new ApiError('NOT_FOUND');
    return toNotificationWebhook(row);
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change an endpoint; what is left out keeps its value',
    description:
      '`status: enabled` brings a disabled one back from now on; with another `url` what waits for it is sent there at once. What is left out stays as it is.',
  })
  @ApiResponse(answers)
  change(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: changeNotificationWebhook }) body: ChangeNotificationWebhookDto,
  ): Promise<NotificationWebhookDto> {
    return this.changeWebhook.execute(caller.tenant, known(id), body);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Remove an endpoint', description: 'What waits for it is not sent any more.' })
  @ApiResponse({ ...answers, description: 'It is gone.', standardSchema: deletedNotificationWebhook })
  async remove(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
  ): Promise<z.output<typeof deletedNotificationWebhook>> {
    await this.deleteWebhook.execute(caller.tenant, known(id));
    return { object: 'notification_webhook', id, deleted: true };
  }

  @Post(':id/rotate_secret')
  @ApiOperation({
    summary: 'Make a new secret, shown only now; the old one signs as well for 24 hours',
    description:
      'So that a receiver may learn of the new one without losing a delivery: each carries both signatures until then.',
  })
  @ApiResponse({
    ...answers,
    description: 'With its new secret.',
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
    summary: 'Send a test event to an endpoint',
    description: 'A notification_webhook.test, sent and signed as any other.',
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

/** A type keeps the endpoints that would hear of it; a pattern those that name it. */
function patternsOf(event: string | undefined): string[] | null {
  if (event === undefined) return null;
  return isEventType(event) ? patternsFor(event) : [event];
}

/** Throws NOT_FOUND for a text that can be nobody's id. */
function known(id: string): string {
  if (!webhookId.safeParse(id).success) throw new ApiError('NOT_FOUND');
  return id;
}
