import { found, idInPath, webhookDelivery, type WebhookDeliveryDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, type Caller } from '@fundrail/service-kit/http';
import { Controller, Get, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { listAttempts } from './attempt.repository.ts';
import { toWebhookDelivery } from './delivery.ts';
import { findDelivery } from './delivery.repository.ts';
import { RetryDelivery } from './retry-delivery.ts';

/** HOOK-24: deliveries by their own id. */
@ApiTags('Webhooks')
@Controller('v2/webhook_deliveries')
export class DeliveryController {
  constructor(
    private readonly database: Database,
    private readonly retryDelivery: RetryDelivery,
  ) {}

  @Get(':id')
  @ApiOperation({
    summary: 'Get a delivery with its attempts',
    description:
      'Also available while its endpoint is disabled or after it was deleted; `failure_code` shows the reason.',
  })
  @ApiResponse({ status: 200, description: 'The delivery.', standardSchema: webhookDelivery })
  async one(@CallerOf() { tenant }: Caller, @Param('id') text: string): Promise<WebhookDeliveryDto> {
    const id = idInPath('webhookDelivery', text);
    return this.database.snapshot(async (tx) => {
      const row = found(await findDelivery(tx, tenant, id));
      return toWebhookDelivery(row, await listAttempts(tx, tenant, [row]));
    });
  }

  @Post(':id/retry')
  @ApiOperation({
    summary: 'Retry a delivery now',
    description: "The retry is not part of the order in which an object's events are delivered.",
  })
  @ApiResponse({ status: 200, description: 'The delivery, due now.', standardSchema: webhookDelivery })
  retry(@CallerOf() caller: Caller, @Param('id') id: string): Promise<WebhookDeliveryDto> {
    return this.retryDelivery.execute(caller, idInPath('webhookDelivery', id));
  }
}
