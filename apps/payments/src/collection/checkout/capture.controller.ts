import { capturePost, type CapturePost } from '@fundrail/contracts';
import { AcceptsForm, one, Public, sendPage } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PaymentsConfig } from '../../config.ts';
import { InvestorFacts } from '../../outside/investor-facts.ts';
import { readPaymentId } from '../../payment/payment-ids.ts';
import { CaptureLimit } from '../capture-limit/capture-limit.guard.ts';
import { brandOf } from '../checkout-page/brand.ts';
import { captureQuery, type CaptureQuery } from '../checkout-page/checkout-form.ts';
import { PageSessions } from '../checkout-page/page-session.ts';
import { postbackPage, unprovenPage } from '../checkout-page/postback-page.ts';
import { postableOf } from '../checkout-page/postback.ts';
import { languageOf } from '../checkout-page/texts.ts';
import { TryAgain } from '../checkout-page/try-again.ts';
import { SettleCapture } from './settle-capture.ts';

/** The investor's browser returns here from the provider. It has no token: the signature and the provider's status decide. */
@ApiTags('Payments')
@Controller('api/pg/payments/netbanking/sdkvendor/capture')
export class CaptureController {
  constructor(
    private readonly settle: SettleCapture,
    private readonly facts: InvestorFacts,
    private readonly tryAgain: TryAgain,
    private readonly sessions: PageSessions,
    private readonly config: PaymentsConfig,
  ) {}

  @Post(':payment_id')
  @HttpCode(200)
  @Public()
  @AcceptsForm({ json: true })
  @UseGuards(CaptureLimit)
  @ApiOperation({
    operationId: 'capturePayment',
    summary: "The SDK's callback, as JSON or form post; returns the page that posts back to the client",
    description:
      'The signature proves where the post comes from; the provider is then asked whether it was paid. An error is a hint only, and the order_id in its metadata proves where it comes from. ' +
      'Always returns a page, except for a wrong signature (400). Without a proof, the page shows no status and does not post back.',
  })
  @ApiQuery({ name: 'lang', required: false, schema: { type: 'string', enum: ['en', 'hi'] } })
  @ApiBody({ required: true, schema: { type: 'object', additionalProperties: true } })
  @ApiResponse({
    status: 200,
    description:
      'The postback page: success, failure, or pending while the status is unknown or the payer may try again',
    content: { 'text/html': { schema: { type: 'string' } } },
  })
  @ApiResponse({
    status: 429,
    description: 'Too many posts from one address; retry after the seconds in Retry-After',
  })
  async capture(
    @Param('payment_id') id: string,
    @Query({ schema: captureQuery }) { lang }: CaptureQuery,
    @Body({ schema: capturePost }) posted: CapturePost,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { headers } = reply.request;
    const { payment, isProven } = await this.settle.execute(readPaymentId(id), posted);
    const language = languageOf(lang, one(headers['accept-language']));
    if (!isProven && !(await this.sessions.find(payment.id, headers))) {
      sendPage(reply, unprovenPage(language));
      return;
    }
    const tenant = await this.facts.tenant(payment.tenant);
    const again = await this.tryAgain.execute(payment, language);
    sendPage(
      reply,
      postbackPage(postableOf(payment, tenant.settings.compatibility), tenant.postback_secret, {
        ...{ language, brand: brandOf(tenant), again },
        holidays: this.config.holidays,
      }),
    );
  }
}
