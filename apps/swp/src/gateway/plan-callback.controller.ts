import { takenCallback } from '@fundrail/contracts';
import { refuseCallback } from '@fundrail/providers';
import type { CallbackHeaders, PlanCallback, PlanGateway } from '@fundrail/providers';
import { Public, RawBody } from '@fundrail/service-kit/http';
import { Controller, Headers, Inject, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { PLAN_GATEWAY } from './plan-gateway.ts';
import { TakePlanCallback } from './take-plan-callback.ts';

/** The order gateway's notifications about plans (GATE-7): no token, but a signature over the raw body. */
@ApiTags('Callbacks')
@Public()
@Controller('callbacks/gatewaypoa/plans')
export class PlanCallbackController {
  constructor(
    @Inject(PLAN_GATEWAY) private readonly gateway: PlanGateway,
    private readonly takeCallback: TakePlanCallback,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Receive a signed notification from the order gateway about a redemption plan',
    description:
      'Authenticated by the signature over the raw body, without a token. Sending the same notification again changes nothing.',
  })
  @ApiBody({ required: true, schema: { type: 'object', additionalProperties: true } })
  @ApiResponse({ status: 200, description: 'The notification is stored', standardSchema: takenCallback })
  async take(@Headers() headers: CallbackHeaders, @RawBody() body: string): Promise<{ received: true }> {
    await this.takeCallback.execute(this.read(headers, body));
    return { received: true };
  }

  private read(headers: CallbackHeaders, body: string): PlanCallback {
    try {
      return this.gateway.readCallback(headers, body);
    } catch (error) {
      return refuseCallback(error, 'x-gatewaypoa-signature');
    }
  }
}
