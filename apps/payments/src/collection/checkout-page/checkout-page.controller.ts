import { ApiError, found } from '@fundrail/contracts';
import { AcceptsForm, isOwnPost, Public, sendPage, type Page } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExcludeEndpoint,
  ApiOperation,
  ApiProduces,
  ApiQuery,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PaymentsConfig } from '../../config.ts';
import type { Collection } from '../collection.ts';
import { ActOnCheckout } from './act-on-checkout.ts';
import { checkoutForm, checkoutQuery, type CheckoutForm, type CheckoutQuery } from './checkout-form.ts';
import { CHECKOUT_PATH, CheckoutTokens } from './checkout-token.ts';
import { pageAddress } from './checkout.ts';
import { closedPage } from './closed-page.view.ts';
import { FirstVisit } from './first-visit.ts';
import { PageSessions } from './page-session.ts';
import { ShowCheckout, type CheckoutStatus } from './show-checkout.ts';
import { languageOf, type Language } from './texts.ts';
import { visitOf } from './visit.ts';
import { browserOf, type Visitor } from './visitor.ts';

const HTML = { 'text/html': { schema: { type: 'string' } } } as const;
const UNAVAILABLE = 'A page: a service that this needs is not available';
const FORM_FIELDS = Object.fromEntries(
  ['txnId', 'lang', 'action', 'vpa', 'bank'].map((name) => [name, { type: 'string' }] as const),
);

/** The hosted page behind `token_url` (PAGE-1): server-rendered, authorised by the token in its address only. */
@ApiTags('Payments')
@Controller('api/pg/payments/netbanking/sdkvendor')
@Public()
export class CheckoutPageController {
  constructor(
    private readonly tokens: CheckoutTokens,
    private readonly sessions: PageSessions,
    private readonly first: FirstVisit,
    private readonly act: ActOnCheckout,
    private readonly showing: ShowCheckout,
    private readonly config: PaymentsConfig,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'showCheckoutPage',
    summary: 'The hosted checkout page that token_url points to; its first GET uses the token up',
    description:
      "For the investor's browser. Only the same browser can load it again; any other browser sees that the link was used.",
  })
  @ApiQuery({ name: 'txnId', required: true, schema: { type: 'string' } })
  @ApiQuery({ name: 'txnType', required: false, schema: { type: 'string' } })
  @ApiQuery({ name: 'lang', required: false, schema: { type: 'string', enum: ['en', 'hi'] } })
  @ApiProduces('text/html')
  @ApiResponse({
    status: 200,
    description: 'The page, or the page that leads back to the app once the payment has ended',
    content: HTML,
  })
  @ApiResponse({ status: 404, description: 'A page: there is no such payment', content: HTML })
  @ApiResponse({
    status: 410,
    description: 'A page: the token was used already, has expired, or the payment is over',
    content: HTML,
  })
  @ApiResponse({ status: 503, description: UNAVAILABLE, content: HTML })
  async show(
    @Query({ schema: checkoutQuery }) query: CheckoutQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const language = languageIn(query.lang, request);
    await answering(reply, query.txnId, language, async () => {
      const id = this.tokens.paymentOfToken(query.txnId);
      if (id === null) return closedPage('unknown', query.txnId, language);
      const visitor = this.visitor(request, language);
      const payment = await this.sessions.find(id, request.headers);
      if (payment) return this.showing.page(payment, { visitor, goes: query.go === '1' });
      const opened = await this.first.execute(id, visitOf(request.method, request.headers), visitor);
      if (typeof opened === 'string')
        return closedPage(opened, query.txnId, language, await this.showing.appOf(id));
      void reply.header('set-cookie', opened.cookie);
      return this.showing.page(opened.payment, { visitor });
    });
  }

  /** The page's forms. Answers with a redirect, so that a reload does not repeat the form, or with the page and its problem. */
  @Post()
  @AcceptsForm()
  @ApiOperation({
    operationId: 'submitCheckoutPage',
    summary: "The hosted checkout page's own forms",
    description:
      'For the hosted page only. Accepted only from the browser that opened the link, and only from the hosted page itself.',
  })
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({ required: true, schema: { type: 'object', properties: FORM_FIELDS } })
  @ApiProduces('text/html')
  @ApiResponse({ status: 200, description: 'The page again', content: HTML })
  @ApiResponse({ status: 303, description: 'Redirect to the page' })
  @ApiResponse({
    status: 403,
    description: 'A page: the form did not come from the payment page',
    content: HTML,
  })
  @ApiResponse({ status: 503, description: UNAVAILABLE, content: HTML })
  async decide(
    @Body({ schema: checkoutForm }) form: CheckoutForm,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const language = languageIn(form.lang, request);
    await answering(reply, form.txnId, language, async () => {
      const payment = isOwnPost(request.headers, this.config.publicBaseUrl)
        ? await this.session(form.txnId, request)
        : null;
      if (!payment) return closedPage('refused', form.txnId, language);
      const visitor = this.visitor(request, language);
      const acted = payment.status === 'PENDING' ? await this.act.execute(payment, form, visitor) : null;
      const go = form.action === 'netbanking' ? '&go=1' : '';
      if (!acted) return { location: pageAddress(form.txnId, language) + go };
      const now = (await this.session(form.txnId, request)) ?? payment;
      return this.showing.page(now, { visitor, ...acted });
    });
  }

  /** For the page's own script. */
  @Get('status')
  @ApiExcludeEndpoint()
  async status(
    @Query({ schema: checkoutQuery }) query: CheckoutQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CheckoutStatus> {
    const payment = found(await this.session(query.txnId, request));
    void reply.header('cache-control', 'no-store');
    return this.showing.status(payment);
  }

  private visitor(request: FastifyRequest, language: Language): Visitor {
    return { browser: browserOf(request, `${this.config.publicBaseUrl}${CHECKOUT_PATH}`), language };
  }

  private async session(token: string, { headers }: FastifyRequest): Promise<Collection | null> {
    const id = this.tokens.paymentOfToken(token);
    return id === null ? null : this.sessions.find(id, headers);
  }
}

function languageIn(chosen: string | undefined, { headers }: FastifyRequest): Language {
  return languageOf(chosen, headers['accept-language']);
}

/** Sends a page or a redirect. A service that does not answer gives a page too. */
async function answering(
  reply: FastifyReply,
  token: string,
  language: Language,
  make: () => Promise<Page | { readonly location: string }>,
): Promise<void> {
  try {
    const made = await make();
    if ('location' in made) void reply.redirect(made.location, 303);
    else sendPage(reply, made);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE')) throw error;
    sendPage(reply, closedPage('unavailable', token, language));
  }
}
