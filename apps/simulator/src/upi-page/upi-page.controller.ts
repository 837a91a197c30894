import { integerIn } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { AcceptsForm, Public, ServiceClient } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import QRCode from 'qrcode';
import { z } from 'zod';
import { simulatedPageHeaders } from '../simulated-page/simulated-page.headers.ts';
import { findKnownPayment } from '../provider-payment/known-payments.ts';
import { PlayInvestor } from '../provider-payment/play-investor.ts';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { store } from '../store/simulator.tables.ts';
import { notIssuedPage, requestPage, unknownPage } from './upi-page.view.ts';

const pageQuery = z.object({ ignored: z.string().optional() });
const pageForm = z.object({ action: z.enum(['approve', 'decline', 'ignore']) });

const HEADERS = simulatedPageHeaders("'self'");

/** The investor's UPI app (SAND-11): server-rendered, works without JavaScript, needs no token because it is sandbox only. */
@ApiExcludeController()
@Controller('sandbox/upi')
@Public()
export class UpiPageController {
  constructor(
    private readonly db: Database,
    private readonly services: ServiceClient,
    private readonly playInvestor: PlayInvestor,
  ) {}

  @Get(':payment_id')
  async show(
    @Param('payment_id') id: string,
    @Query({ schema: pageQuery }) query: z.output<typeof pageQuery>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const paymentId = integerIn(id);
    const row = paymentId === null ? null : await store.payments.find(this.db, { payment_id: paymentId });
    if (row && row.kind !== 'debit')
      return void reply.headers(HEADERS).send(await this.render(row, query.ignored !== undefined));
    const known = paymentId === null ? null : await findKnownPayment(this.services, paymentId);
    if (known) return void reply.headers(HEADERS).send(notIssuedPage(known.id));
    void reply.status(404).headers(HEADERS).send(unknownPage());
  }

  /** Handles the buttons. Responds with a redirect, so that a reload repeats nothing. */
  @Post(':payment_id')
  @AcceptsForm()
  async decide(
    @Param('payment_id') id: string,
    @Body({ schema: pageForm }) { action }: z.output<typeof pageForm>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const paymentId = integerIn(id);
    if (paymentId !== null && action !== 'ignore') await this.playInvestor.execute(paymentId, action);
    void reply.redirect(
      `/sandbox/upi/${encodeURIComponent(id)}${action === 'ignore' ? '?ignored=1' : ''}`,
      303,
    );
  }

  private async render(row: ProviderPaymentRow, ignored: boolean): Promise<string> {
    const qr = row.vpa === null ? await qrOf(row.upi_uri) : '';
    return requestPage(row, { now: await this.db.now(), qr, ignored });
  }
}

function qrOf(uri: string): Promise<string> {
  return QRCode.toString(uri, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' });
}
