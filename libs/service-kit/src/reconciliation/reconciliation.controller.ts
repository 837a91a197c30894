import { askPublished, republish, type AskPublished, type PublishedEvent } from '@fundrail/contracts';
import { Body, Controller, Inject, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { z } from 'zod';
import { Database } from '../db/database.ts';
import { Internal } from '../http/auth/route-policy.ts';
import { publishedBetween, republishEvents } from './event-log.repository.ts';

/** A service's answers about its own outbox, only for other services. */
@ApiExcludeController()
@Internal()
@Controller('internal/reconciliation/events')
export class ReconciliationController {
  constructor(@Inject(Database) private readonly database: Database) {}

  @Post()
  async published(
    @Body({ schema: askPublished }) query: AskPublished,
  ): Promise<{ events: readonly PublishedEvent[] }> {
    return { events: await publishedBetween(this.database, query) };
  }

  @Post('republish')
  async republish(
    @Body({ schema: republish }) { ids }: z.output<typeof republish>,
  ): Promise<{ republished: number }> {
    const republished = await republishEvents(this.database, ids);
    this.database.signal('outbox');
    return { republished };
  }
}
