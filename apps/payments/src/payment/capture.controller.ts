import { ApiError, capturePost } from '@fundrail/contracts';
import type { CapturePost } from '@fundrail/contracts';
import { AcceptsForm, Public, sendPage } from '@fundrail/service-kit/http';
import { Body, Controller, Headers, HttpCode, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CaptureLimit } from '../capture-limit/capture-limit.guard.ts';
import { captureQuery, type CaptureQuery } from '../checkout-page/checkout-form.ts';
import { postbackPage } from '../checkout-page/postback-page.ts';
import { languageOf } from '../checkout-page/texts.ts';
import { TryAgain } from '../checkout-page/try-again.ts';
import { InvestorFacts } from '../outside/investor-facts.ts';
import { SettleCapture } from './settle-capture.ts';

/** Where the investor's browser comes back to from the provider. It has no token: the signature and the provider decide. */
@ApiTags('Payments')
@Controller('api/pg/payments/netbanking/sdkvendor/capture')
export class CaptureController {
  constructor(
    private readonly settle: SettleCapture,
    private readonly facts: InvestorFacts,
    private readonly tryAgain: TryAgain,
  ) {}

  @Post(':payment_id')
  @HttpCode(200)
  @Public()
  @AcceptsForm()
  @UseGuards(CaptureLimit)
  @ApiOperation({
    summary: "The SDK's callback, as JSON or form post; answers the page that posts back to the client",
    description:
      'Its signature proves who it comes from; what was paid the provider is asked for. An error is a hint only. Always answers the page, but for a wrong signature (400).',
  })
  @ApiQuery({ name: 'lang', required: false, schema: { type: 'string', enum: ['en', 'hi'] } })
  @ApiBody({ required: true, schema: { type: 'object', additionalProperties: true } })
  @ApiResponse({
    status: 200,
    description:
      'The postback page: success, failure, or pending while nothing is known or another try is possible',
    content: { 'text/html': { schema: { type: 'string' } } },
  })
  @ApiResponse({
    status: 429,
    description: 'Too many posts from one address; Retry-After says when to come back',
  })
  async capture(
    @Param('payment_id') id: string,
    @Query({ schema: captureQuery }) { lang }: CaptureQuery,
    @Body({ schema: capturePost }) posted: CapturePost,
    @Headers('accept-language') accepted: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!/^[1-9]\d{0,14}$/.test(id)) throw new ApiError('NOT_FOUND');
    const payment = await this.settle.execute(Number(id), posted);
    const { postback_secret, settings } = await this.facts.tenant(payment.tenant);
    const language = languageOf(lang, accepted);
    const again = await this.tryAgain.execute(payment, language);
    sendPage(
      reply,
      postbackPage(payment, postback_secret, { language, operator: settings.operator_name, again }),
    );
  }
}
