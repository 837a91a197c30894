import {
  createWebhookReplay,
  found,
  idInPath,
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

const replayId = prefixedId('webhookReplay');
const query = listQuery({ starting_after: replayId.optional() });

/** HOOK-26: resends events of the last 30 days. */
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
    summary: 'Replay events to an endpoint',
    description:
      'Resends the events of a time range as a background job, behind new events and with their original ids.',
  })
  @ApiResponse({ status: 202, description: 'The running replay.', standardSchema: webhookReplay })
  start(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: createWebhookReplay }) body: CreateWebhookReplayDto,
  ): Promise<WebhookReplayDto> {
    return this.startReplay.execute(caller, idInPath('notificationWebhook', id), body);
  }

  @Get(':id/replays')
  @ApiOperation({
    summary: 'List the replays of an endpoint, newest first',
    description: 'Each with its numbers of matched and sent events.',
  })
  @ApiResponse({ status: 200, description: 'Newest first.', standardSchema: listSchema(webhookReplay) })
  async list(
    @CallerOf() { tenant }: Caller,
    @Param('id') id: string,
    @Query({ schema: query }) asked: z.output<typeof query>,
  ) {
    const webhook = found(await findWebhook(this.database, tenant, idInPath('notificationWebhook', id)));
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
    summary: 'Get the progress of a replay',
    description: 'The number of matched events, and how many of them were sent.',
  })
  @ApiResponse({ status: 200, description: 'The replay.', standardSchema: webhookReplay })
  async get(
    @CallerOf() { tenant }: Caller,
    @Param('id') webhook: string,
    @Param('replay') id: string,
  ): Promise<WebhookReplayDto> {
    const row = found(await findReplay(this.database, replayKey(tenant, webhook, id)));
    return toWebhookReplay(row, await replayProgress(this.database, id));
  }

  @Post(':id/replays/:replay/cancel')
  @ApiOperation({
    summary: 'Cancel a running replay',
    description: 'No more events are sent, except those in progress. Undelivered events are given up.',
  })
  @ApiResponse({ status: 200, description: 'The cancelled replay.', standardSchema: webhookReplay })
  cancel(
    @CallerOf() caller: Caller,
    @Param('id') webhook: string,
    @Param('replay') id: string,
  ): Promise<WebhookReplayDto> {
    return this.cancelReplay.execute(caller, replayKey(caller.tenant, webhook, id));
  }
}

/** Throws NOT_FOUND for anything that is not one of our ids. */
function replayKey(tenant: string, webhook: string, id: string): ReplayKey {
  return { tenant, webhook: idInPath('notificationWebhook', webhook), id: idInPath('webhookReplay', id) };
}
