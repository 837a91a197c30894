import { ApiError } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { AcceptsForm, Public } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { playedPageHeaders } from '../played-page/played-page.headers.ts';
import { BuyerApp } from './buyer-app.ts';
import { postedBackPage } from './posted-back.view.ts';

// The five fields of a postback are far fewer and shorter.
const postedFields = z.record(z.string().max(100), z.string().max(2_000));

/** A payment's way through the hosted page, for a newcomer without a terminal. Sandbox only, so it needs no token. */
@ApiExcludeController()
@Controller('sandbox/checkout')
@Public()
export class FreshCheckoutController {
  constructor(
    private readonly app: BuyerApp,
    private readonly log: Log,
  ) {}

  /** Makes a payment and goes on to its `token_url`. A HEAD makes nothing. */
  @Get()
  async open(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (request.method === 'HEAD') return void reply.status(204).send();
    const address = await this.app.freshTokenUrl().catch((error: unknown) => {
      this.log.warn('no fresh payment could be made', { why: String(error) });
      throw new ApiError('SERVICE_UNAVAILABLE');
    });
    void reply.header('cache-control', 'no-store').redirect(address, 303);
  }

  /** Stands for the client's `payment_postback_url`. */
  @Post('done')
  @AcceptsForm()
  done(
    @Body({ schema: postedFields }) fields: z.output<typeof postedFields>,
    @Res() reply: FastifyReply,
  ): void {
    this.show(Object.entries(fields), reply);
  }

  /** Whoever reloads it. */
  @Get('done')
  nothing(@Res() reply: FastifyReply): void {
    this.show([], reply);
  }

  private show(fields: readonly (readonly [string, string])[], reply: FastifyReply): void {
    void reply.status(200).headers(playedPageHeaders("'none'")).send(postedBackPage(fields));
  }
}
