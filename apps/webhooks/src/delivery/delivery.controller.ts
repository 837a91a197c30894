import { ApiError, prefixedId, webhookDelivery, type WebhookDeliveryDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, type Caller } from '@fundrail/service-kit/http';
import { Controller, Get, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { listAttempts } from './attempt.repository.ts';
import { toWebhookDelivery } from './delivery.ts';
import { findDelivery } from './delivery.repository.ts';
import { RetryDelivery } from './retry-delivery.ts';

const deliveryId = prefixedId('webhookDelivery');

/** Contract §6: deliveries by their own id. */
@ApiTags('Webhooks')
@Controller('v2/webhook_deliveries')
export class DeliveryController {
  constructor(
    private readonly database: Database,
    private readonly retryDelivery: RetryDelivery,
  ) {}

  @Get(':id')
  @ApiOperation({
    summary: 'One delivery with its attempts',
    description: 'Also while its endpoint is disabled, and when it was removed: `failure_code` says so.',
  })
  @ApiResponse({ status: 200, description: 'The delivery.', standardSchema: webhookDelivery })
  async one(@CallerOf() { tenant }: Caller, @Param('id') id: string): Promise<WebhookDeliveryDto> {
    const row = deliveryId.safeParse(id).success ? await findDelivery(this.database, tenant, id) : null;
    if (!row) throw new ApiError('NOT_FOUND');
    return toWebhookDelivery(row, await listAttempts(this.database, tenant, [row]));
  }

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
