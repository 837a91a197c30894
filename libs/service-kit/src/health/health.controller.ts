import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../http/auth/route-policy.ts';
import { Health, type HealthAnswer } from './health.ts';

/** `/health/…` on `PORT`, when `OPS_PORT` is not given. */
@ApiExcludeController()
@Controller('health')
@Public()
export class HealthController {
  constructor(@Inject(Health) private readonly health: Health) {}

  @Get('live')
  live(@Res({ passthrough: true }) reply: FastifyReply) {
    return answerWith(this.health.live(), reply);
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    return answerWith(await this.health.ready(), reply);
  }
}

function answerWith({ isOk, body }: HealthAnswer, reply: FastifyReply): HealthAnswer['body'] {
  void reply.code(isOk ? 200 : 503);
  return body;
}
