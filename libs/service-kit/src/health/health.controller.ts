import { sql } from '@fundrail/messaging';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Database } from '../db/database.ts';
import { Public } from '../http/auth/route-policy.ts';
import { Readiness } from './readiness.ts';

const PING = sql('health.ping', 'SELECT 1 AS one');

/** Contract §8. Live: the process answers. Ready: the database answers and the service has started. */
@ApiExcludeController()
@Controller('health')
@Public()
export class HealthController {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Readiness) private readonly readiness: Readiness,
  ) {}

  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 503 when not ready. The lag of the relay is told, and is no reason to take no requests: events only wait. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const database = await this.answersPing();
    const relay = database ? await this.readiness.relayLag() : null;
    const ready = database && this.readiness.isStarted;
    void reply.code(ready ? 200 : 503);
    return {
      status: ready ? 'ok' : 'unavailable',
      database: database ? 'ok' : 'down',
      event_bus: this.readiness.bus,
      relay,
    };
  }

  private answersPing(): Promise<boolean> {
    return this.database.query(PING).then(
      () => true,
      () => false,
    );
  }
}
