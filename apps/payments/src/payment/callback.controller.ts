import { takenCallback } from '@fundrail/contracts';
import { Public, RawBody } from '@fundrail/service-kit/http';
import { Controller, Headers, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { CallbackHeaders } from '@fundrail/providers';
import { TakeCallback } from './take-callback.ts';

/** The callbacks of payment providers. They have no token: each callback is checked by its signature. */
@ApiTags('Callbacks')
@Controller('callbacks')
export class CallbackController {
  constructor(private readonly take: TakeCallback) {}

  @Post('gatewaypoa/payments')
  @HttpCode(200)
  @Public()
  @ApiOperation({
    summary: 'gatewaypoa reports on payments, transfers and refunds',
    description:
      'For the provider, not for clients. The signature over the raw body is checked, and a repeated report has no further effect.',
  })
  @ApiBody({ required: true, schema: { type: 'object', additionalProperties: true } })
  @ApiResponse({ status: 200, description: 'The report is stored', standardSchema: takenCallback })
  async gatewaypoa(
    @Headers() headers: CallbackHeaders,
    @RawBody() body: string,
  ): Promise<{ received: true }> {
    await this.take.execute('GATEWAYPOA', headers, body);
    return { received: true };
  }

  @Post('sdkvendor')
  @HttpCode(200)
  @Public()
  @ApiOperation({
    summary: 'sdkvendor (Razorpay) reports on payments and refunds',
    description:
      'For the provider, not for clients. The signature over the raw body is checked, and a repeated report has no further effect.',
  })
  @ApiBody({ required: true, schema: { type: 'object', additionalProperties: true } })
  @ApiResponse({ status: 200, description: 'The report is stored', standardSchema: takenCallback })
  async sdkvendor(@Headers() headers: CallbackHeaders, @RawBody() body: string): Promise<{ received: true }> {
    await this.take.execute('SDKVENDOR', headers, body);
    return { received: true };
  }
}
