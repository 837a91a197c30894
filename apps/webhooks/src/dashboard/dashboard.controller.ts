import { DELIVERY_STATUSES, found, idInPath, prefixedId } from '@fundrail/contracts';
import { Clock, Database } from '@fundrail/service-kit/db';
import { AcceptsForm, CallerOf, Public, sendPage, type Caller } from '@fundrail/service-kit/http';
import { Controller, Get, Param, Post, Query, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { listAttempts } from '../delivery/attempt.repository.ts';
import { findDelivery, listDeliveries } from '../delivery/delivery.repository.ts';
import { RetryDelivery } from '../delivery/retry-delivery.ts';
import { findEvent } from '../event/event.repository.ts';
import {
  findWebhook,
  findWebhookOrRemoved,
  listWebhooks,
} from '../notification-webhook/notification-webhook.repository.ts';
import { SendTestEvent } from '../notification-webhook/send-test-event.ts';
import { VerifyEndpoint } from '../verification/verify-endpoint.ts';
import { deliveryAddress, endpointAddress } from './addresses.ts';
import { deliveryPage } from './delivery.view.ts';
import { endpointPage } from './endpoint.view.ts';
import { endpointsPage } from './endpoints.view.ts';
import { OwnForms, SignedIn } from './guards.ts';
import { PageErrors } from './page-errors.filter.ts';

const webhookId = prefixedId('notificationWebhook');
const deliveryId = prefixedId('webhookDelivery');
const endpointsQuery = z.object({ after: webhookId.optional() });
const endpointQuery = z.object({
  after: deliveryId.optional(),
  status: z.enum(DELIVERY_STATUSES).optional(),
});
const deliveryQuery = z.object({ done: z.enum(['test', 'retry']).optional() });

const ENDPOINTS_A_PAGE = 50;
const DELIVERIES_A_PAGE = 25;

/** The dashboard for a client's developers: endpoints, their deliveries and each attempt. It shows and does what the API does. */
@ApiExcludeController()
@Controller('webhooks')
@Public()
@UseGuards(OwnForms, SignedIn)
@UseFilters(PageErrors)
export class DashboardController {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly retryDelivery: RetryDelivery,
    private readonly sendTestEvent: SendTestEvent,
    private readonly verifyEndpoint: VerifyEndpoint,
  ) {}

  @Get('endpoints')
  async endpoints(
    @CallerOf() { tenant }: Caller,
    @Query({ schema: endpointsQuery }) { after }: z.output<typeof endpointsQuery>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = { limit: ENDPOINTS_A_PAGE, starting_after: after, patterns: null };
    const endpoints = await listWebhooks(this.database, tenant, page);
    const now = await this.database.now();
    const hasMore = endpoints.length === ENDPOINTS_A_PAGE;
    sendPage(reply, endpointsPage({ tenant, endpoints, now, hasMore, isFirst: after === undefined }));
  }

  @Get('endpoints/:id')
  async endpoint(
    @CallerOf() { tenant }: Caller,
    @Param('id') id: string,
    @Query({ schema: endpointQuery }) { after, status }: z.output<typeof endpointQuery>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const endpoint = found(await findWebhook(this.database, tenant, idInPath('notificationWebhook', id)));
    const query = {
      ...{ limit: DELIVERIES_A_PAGE, starting_after: after ?? null, status: status ?? null },
      ...{ event: null, types: null, object_id: null },
    };
    const [deliveries, attempts] = await this.database.snapshot(async (tx) => {
      const rows = await listDeliveries(tx, endpoint, query);
      return [rows, await listAttempts(tx, tenant, rows)] as const;
    });
    const now = await this.database.now();
    const hasMore = deliveries.length === DELIVERIES_A_PAGE;
    const view = { endpoint, deliveries, attempts, now, status, hasMore, isFirst: after === undefined };
    sendPage(reply, endpointPage(view));
  }

  @Post('endpoints/:id/test')
  @AcceptsForm()
  async test(@CallerOf() caller: Caller, @Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    const sent = await this.sendTestEvent.execute(caller, idInPath('notificationWebhook', id));
    void reply.redirect(`${deliveryAddress(sent.id)}?done=test`, 303);
  }

  @Post('endpoints/:id/verify')
  @AcceptsForm()
  async verify(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.verifyEndpoint.execute(caller, idInPath('notificationWebhook', id));
    void reply.redirect(endpointAddress(id), 303);
  }

  @Get('deliveries/:id')
  async delivery(
    @CallerOf() { tenant }: Caller,
    @Param('id') text: string,
    @Query({ schema: deliveryQuery }) { done }: z.output<typeof deliveryQuery>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const id = idInPath('webhookDelivery', text);
    const [delivery, attempts] = await this.database.snapshot(async (tx) => {
      const row = found(await findDelivery(tx, tenant, id));
      return [row, await listAttempts(tx, tenant, [row])] as const;
    });
    const endpoint = found(await findWebhookOrRemoved(this.database, tenant, delivery.webhook));
    const event = await findEvent(this.database, tenant, delivery.event, this.clock.now());
    const now = await this.database.now();
    sendPage(reply, deliveryPage({ delivery, endpoint, attempts, event, now, done }));
  }

  @Post('deliveries/:id/retry')
  @AcceptsForm()
  async retry(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.retryDelivery.execute(caller, idInPath('webhookDelivery', id));
    void reply.redirect(`${deliveryAddress(id)}?done=retry`, 303);
  }
}
