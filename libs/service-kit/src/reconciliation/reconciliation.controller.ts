import { askPublished, republish, type AskPublished, type PublishedEvent } from '@fundrail/contracts';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { z } from 'zod';
import { Database } from '../db/database.ts';
import { Internal } from '../http/auth/route-policy.ts';
import { publishedBetween, republishEvents } from './event-log.repository.ts';

/** What a service answers about its own outbox; for the neighbours only. */
@ApiExcludeController()
@Internal()
@Controller('internal/reconciliation/events')
export class ReconciliationController {
  constructor(@Inject(Database) private readonly database: Database) {}

  @Post()
  @HttpCode(200)
  async published(
    @Body({ schema: askPublished }) asked: AskPublished,
  ): Promise<{ events: readonly PublishedEvent[] }> {
    return { events: await publishedBetween(this.database, asked) };
  }

  @Post('republish')
  @HttpCode(200)
  async republish(
    @Body({ schema: republish }) { ids }: z.output<typeof republish>,
  ): Promise<{ republished: number }> {
    const republished = await republishEvents(this.database, ids);
    this.database.signal('outbox');
    return { republished };
  }
}
