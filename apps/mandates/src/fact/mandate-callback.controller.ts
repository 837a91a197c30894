import { takenCallback } from '@fundrail/contracts';
import type { CallbackHeaders } from '@fundrail/providers';
import { Public, RawBody } from '@fundrail/service-kit/http';
import { Controller, Headers, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { TakeMandateCallback } from './take-mandate-callback.ts';

/** Where gatewaypoa reports on mandates (contract §3). No token: each callback is checked by its signature. */
@ApiTags('Callbacks')
@Public()
@Controller('callbacks/gatewaypoa/mandates')
export class MandateCallbackController {
  constructor(private readonly takeCallback: TakeMandateCallback) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'gatewaypoa reports that a mandate was paused, resumed or ended',
    description:
      'For the provider, not for clients: the signature over the raw body is checked, and a report counts once.',
  })
  @ApiBody({ required: true, schema: { type: 'object', additionalProperties: true } })
  @ApiResponse({ status: 200, description: 'It is stored', standardSchema: takenCallback })
  async take(@Headers() headers: CallbackHeaders, @RawBody() body: string): Promise<{ received: true }> {
    await this.takeCallback.execute(headers, body);
    return { received: true };
  }
}
