import { ApiError, prefixedId, webhookDelivery, type WebhookDeliveryDto } from '@fundrail/contracts';
import { CallerOf, type Caller } from '@fundrail/service-kit/http';
import { Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RetryDelivery } from './retry-delivery.ts';

const deliveryId = prefixedId('webhookDelivery');

/** Contract §6: deliveries by their own id. */
@ApiTags('Webhooks')
@Controller('v2/webhook_deliveries')
export class DeliveryController {
  constructor(private readonly retryDelivery: RetryDelivery) {}

  @Post(':id/retry')
  @ApiOperation({
    summary: 'Make a delivery due at once',
    description: "Stands outside the order in which an object's events are delivered.",
  })
  @ApiResponse({ status: 200, description: 'The delivery, due at once.', standardSchema: webhookDelivery })
  retry(@CallerOf() caller: Caller, @Param('id') id: string): Promise<WebhookDeliveryDto> {
    if (!deliveryId.safeParse(id).success) throw new ApiError('NOT_FOUND');
    return this.retryDelivery.execute(caller, id);
  }
}
