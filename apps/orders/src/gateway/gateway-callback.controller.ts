import { takenCallback } from '@fundrail/contracts';
import {
  refuseCallback,
  type CallbackHeaders,
  type OrderCallback,
  type OrderGateway,
} from '@fundrail/providers';
import { Public, RawBody } from '@fundrail/service-kit/http';
import { Controller, Headers, Inject, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ORDER_GATEWAY } from './order-gateway.ts';
import { TakeGatewayCallback } from './take-gateway-callback.ts';

/** The order gateway's notifications (GATE-7). There is no token, but a signature over the raw body. */
@ApiTags('Callbacks')
@Public()
@Controller('callbacks/gatewaypoa/orders')
export class GatewayCallbackController {
  constructor(
    @Inject(ORDER_GATEWAY) private readonly gateway: OrderGateway,
    private readonly takeCallback: TakeGatewayCallback,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Receive a signed notification from the order gateway',
    description:
      'For the gateway, not for clients. The signature over the raw body is checked, and a repeated notification changes nothing.',
  })
  @ApiBody({ required: true, schema: { type: 'object', additionalProperties: true } })
  @ApiResponse({ status: 200, description: 'The notification is stored', standardSchema: takenCallback })
  async take(@Headers() headers: CallbackHeaders, @RawBody() body: string): Promise<{ received: true }> {
    await this.takeCallback.execute(this.read(headers, body));
    return { received: true };
  }

  private read(headers: CallbackHeaders, body: string): OrderCallback {
    try {
      return this.gateway.readCallback(headers, body);
    } catch (error) {
      return refuseCallback(error, 'x-gatewaypoa-signature');
    }
  }
}
