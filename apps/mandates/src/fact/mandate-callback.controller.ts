import { takenCallback } from '@fundrail/contracts';
import type { CallbackHeaders } from '@fundrail/providers';
import { Public, RawBody } from '@fundrail/service-kit/http';
import { Controller, Headers, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { TakeMandateCallback } from './take-mandate-callback.ts';

/** Receives the reports of gatewaypoa on mandates (GATE-6). There is no token: each callback is checked by its signature. */
@ApiTags('Callbacks')
@Public()
@Controller('callbacks/gatewaypoa/mandates')
export class MandateCallbackController {
  constructor(private readonly takeCallback: TakeMandateCallback) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Receive a report from gatewaypoa that a mandate was paused, resumed or ended',
    description:
      'For the provider, not for clients. The signature over the raw body is checked, and a repeated report changes nothing.',
  })
  @ApiBody({ required: true, schema: { type: 'object', additionalProperties: true } })
  @ApiResponse({ status: 200, description: 'The report is stored', standardSchema: takenCallback })
  async take(@Headers() headers: CallbackHeaders, @RawBody() body: string): Promise<{ received: true }> {
    await this.takeCallback.execute(headers, body);
    return { received: true };
  }
}
