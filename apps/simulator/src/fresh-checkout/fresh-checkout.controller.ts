import { ApiError } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { AcceptsForm, Public } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { simulatedPageHeaders } from '../simulated-page/simulated-page.headers.ts';
import { BuyerApp } from './buyer-app.ts';
import { postedBackPage } from './posted-back.view.ts';

// Generous limits: a postback has five short fields.
const postedFields = z.record(z.string().max(100), z.string().max(2_000));

/** Opens the hosted checkout page with a new payment, for a user without a terminal. Sandbox only, so it needs no token. */
@ApiExcludeController()
@Controller('sandbox/checkout')
@Public()
export class FreshCheckoutController {
  constructor(
    private readonly app: BuyerApp,
    private readonly log: Log,
  ) {}

  /** Creates a payment and redirects to its `token_url`. A HEAD creates nothing. */
  @Get()
  async open(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (request.method === 'HEAD') return void reply.status(204).send();
    const address = await this.app.freshTokenUrl().catch((error: unknown) => {
      this.log.warn('a new payment could not be created', { why: String(error) });
      throw new ApiError('SERVICE_UNAVAILABLE');
    });
    void reply.header('cache-control', 'no-store').redirect(address, 303);
  }

  /** Simulates the client's `payment_postback_url`. */
  @Post('done')
  @AcceptsForm()
  done(
    @Body({ schema: postedFields }) fields: z.output<typeof postedFields>,
    @Res() reply: FastifyReply,
  ): void {
    this.show(Object.entries(fields), reply);
  }

  /** A reload of the page, which has no posted fields. */
  @Get('done')
  nothing(@Res() reply: FastifyReply): void {
    this.show([], reply);
  }

  private show(fields: readonly (readonly [string, string])[], reply: FastifyReply): void {
    void reply.status(200).headers(simulatedPageHeaders("'none'")).send(postedBackPage(fields));
  }
}
