import {
  ApiError,
  createWebhookReplay,
  prefixedId,
  webhookReplay,
  type CreateWebhookReplayDto,
  type WebhookReplayDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, listOf, listQuery, listSchema, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { findWebhook } from '../notification-webhook/notification-webhook.repository.ts';
import { CancelReplay } from './cancel-replay.ts';
import { StartReplay } from './start-replay.ts';
import { toWebhookReplay } from './webhook-replay.ts';
import { findReplay, listReplays, replayProgress, type ReplayKey } from './webhook-replay.repository.ts';

const webhookId = prefixedId('notificationWebhook');
const replayId = prefixedId('webhookReplay');
const query = listQuery({ starting_after: replayId.optional() });

/** Contract §6: events of the last 30 days once more. */
@ApiTags('Webhooks')
@Controller('v2/notification_webhooks')
export class ReplayController {
  constructor(
    private readonly database: Database,
    private readonly startReplay: StartReplay,
    private readonly cancelReplay: CancelReplay,
  ) {}

  @Post(':id/replay')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send the events of a time to an endpoint once more',
    description: 'As a job in the background, behind new events, with the ids that they had.',
  })
  @ApiResponse({ status: 202, description: 'The replay, which runs.', standardSchema: webhookReplay })
  start(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: createWebhookReplay }) body: CreateWebhookReplayDto,
  ): Promise<WebhookReplayDto> {
    if (!webhookId.safeParse(id).success) throw new ApiError('NOT_FOUND');
    return this.startReplay.execute(caller, id, body);
  }

  @Get(':id/replays')
  @ApiOperation({
    summary: 'List the replays to an endpoint, newest first',
    description: 'Each with how many events it matched and sent.',
  })
  @ApiResponse({ status: 200, description: 'Newest first.', standardSchema: listSchema(webhookReplay) })
  async list(
    @CallerOf() { tenant }: Caller,
    @Param('id') id: string,
    @Query({ schema: query }) asked: z.output<typeof query>,
  ) {
    const known = webhookId.safeParse(id).success;
    const webhook = known ? await findWebhook(this.database, tenant, id) : null;
    if (!webhook) throw new ApiError('NOT_FOUND');
    const { limit, starting_after } = asked;
    const rows = await listReplays(this.database, webhook, { limit, starting_after });
    return listOf(
      await Promise.all(
        rows.map(async (row) => toWebhookReplay(row, await replayProgress(this.database, row.id))),
      ),
    );
  }

  @Get(':id/replays/:replay')
  @ApiOperation({
    summary: 'Tell how far a replay has come',
    description: 'How many events it matched, and how many of them were sent.',
  })
  @ApiResponse({ status: 200, description: 'The replay.', standardSchema: webhookReplay })
  async get(
    @CallerOf() { tenant }: Caller,
    @Param('id') webhook: string,
    @Param('replay') id: string,
  ): Promise<WebhookReplayDto> {
    const row = await findReplay(this.database, replayKey(tenant, webhook, id));
    if (!row) throw new ApiError('NOT_FOUND');
    return toWebhookReplay(row, await replayProgress(this.database, id));
  }

  @Post(':id/replays/:replay/cancel')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Cancel a replay that runs',
    description: 'No more is sent of it, but for what is under way; what was not taken yet is given up.',
  })
  @ApiResponse({ status: 200, description: 'The replay, cancelled.', standardSchema: webhookReplay })
  cancel(
    @CallerOf() caller: Caller,
    @Param('id') webhook: string,
    @Param('replay') id: string,
  ): Promise<WebhookReplayDto> {
    return this.cancelReplay.execute(caller, replayKey(caller.tenant, webhook, id));
  }
}

/** Anything but ids of ours is nobody's: throws NOT_FOUND. */
function replayKey(tenant: string, webhook: string, id: string): ReplayKey {
  if (!webhookId.safeParse(webhook).success || !replayId.safeParse(id).success)
    throw new ApiError('NOT_FOUND');
  return { tenant, webhook, id };
}
