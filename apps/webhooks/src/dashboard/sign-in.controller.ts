import { ApiError, clientCredentials } from '@fundrail/contracts';
import { AcceptsForm, one, Public, sendPage } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Post, Query, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { WebhooksConfig } from '../config.ts';
import { DASHBOARD, pageAfter } from './addresses.ts';
import { DashboardSessions, type Refused } from './dashboard-session.ts';
import { OwnForms } from './guards.ts';
import { PageErrors } from './page-errors.filter.ts';
import { signInPage, type SigningIn } from './sign-in.view.ts';

const to = z.string().optional();
const query = z.object({ to });
const credentialsForm = clientCredentials.extend({ to });
const tokenForm = z.strictObject({ to, access_token: z.string() });

/** Signing in to the dashboard and signing out. */
@ApiExcludeController()
@Controller('webhooks')
@Public()
@UseGuards(OwnForms)
@UseFilters(PageErrors)
export class SignInController {
  constructor(
    private readonly sessions: DashboardSessions,
    private readonly config: WebhooksConfig,
  ) {}

  @Get()
  async show(
    @Query({ schema: query }) asked: z.output<typeof query>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = pageAfter(asked.to);
    if (await this.sessions.enter(request)) return void reply.redirect(page, 303);
    const fromElsewhere = one(request.headers['sec-fetch-site']) === 'cross-site';
    const { otherIssuer } = this.config;
    sendPage(reply, signInPage({ to: page, fromElsewhere, otherIssuer }));
  }

  /** Unknown paths below the dashboard also respond with a page. */
  @Get('*')
  unknown(): never {
    throw new ApiError('NOT_FOUND');
  }

  @Post('session')
  @AcceptsForm()
  async withCredentials(
    @Body({ schema: credentialsForm }) form: z.output<typeof credentialsForm>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { to: asked, ...sent } = form;
    const { tenant, client_id } = sent;
    const entry = await this.sessions.withCredentials(request, sent);
    this.enter(reply, entry, { to: pageAfter(asked), tenant, client_id });
  }

  @Post('session/token')
  @AcceptsForm()
  async withToken(
    @Body({ schema: tokenForm }) form: z.output<typeof tokenForm>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const entry = await this.sessions.withToken(request, form.access_token);
    this.enter(reply, entry, { to: pageAfter(form.to) });
  }

  @Post('session/end')
  @AcceptsForm()
  end(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    void reply.header('set-cookie', this.sessions.end(request)).redirect(DASHBOARD, 303);
  }

  private enter(reply: FastifyReply, entry: Refused | { readonly cookie: string }, signing: SigningIn): void {
    const { otherIssuer } = this.config;
    if (typeof entry === 'string') sendPage(reply, signInPage({ ...signing, refused: entry, otherIssuer }));
    else void reply.header('set-cookie', entry.cookie).redirect(signing.to, 303);
  }
}
