import { idInPath, notificationWebhook, type NotificationWebhookDto } from '@fundrail/contracts';
import { CallerOf, type Caller } from '@fundrail/service-kit/http';
import { Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { VerifyEndpoint } from './verify-endpoint.ts';

/** Verifies that endpoints want events (docs/webhooks.md, "Verification"). */
@ApiTags('Webhooks')
@Controller('v2/notification_webhooks')
export class VerificationController {
  constructor(private readonly verifyEndpoint: VerifyEndpoint) {}

  @Post(':id/verify')
  @ApiOperation({
    summary: 'Verify an endpoint',
    description:
      'Sends the endpoint a new challenge. If the operator has enabled `verify_endpoints`, an endpoint receives events only after it has answered a challenge. No challenge is sent to an endpoint that is `verified` or has a challenge in progress. The limit is 3 challenges a minute for an endpoint and 6 for a host; above it, the response is a 429 with `Retry-After`.',
  })
  @ApiResponse({ status: 200, description: 'The endpoint.', standardSchema: notificationWebhook })
  verify(@CallerOf() caller: Caller, @Param('id') id: string): Promise<NotificationWebhookDto> {
    return this.verifyEndpoint.execute(caller, idInPath('notificationWebhook', id));
  }
}
