import { Database } from '@fundrail/service-kit/db';
import { AcceptsForm, cspHash, policySources, Public } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { SimulatorConfig } from '../config.ts';
import { simulatedPageHeaders } from '../simulated-page/simulated-page.headers.ts';
import type { SdkPaymentRow } from '../sdkvendor/sdk-payment.ts';
import { store } from '../store/simulator.tables.ts';
import { bankPage, SEND_BACK, unknownBankPage, returnPage } from './bank-page.view.ts';
import { PlayBank } from './play-bank.ts';
import { returnFields } from './return-fields.ts';

const pageForm = z.object({ action: z.enum(['approve', 'decline']) });

const headersFor = (formAction: string) => simulatedPageHeaders(formAction, cspHash(SEND_BACK));

/** The bank's page of a net banking payment (SAND-11). Sandbox only, so it needs no token. Works without JavaScript. */
@ApiExcludeController()
@Controller('sandbox/bank')
@Public()
export class BankPageController {
  constructor(
    private readonly db: Database,
    private readonly playBank: PlayBank,
    private readonly config: SimulatorConfig,
  ) {}

  @Get(':id')
  async show(@Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    const attempt = await store.attempts.find(this.db, { id });
    if (attempt?.method !== 'netbanking' && attempt?.method !== 'emandate') {
      unknown(reply);
      return;
    }
    void reply.headers(headersFor("'self'")).send(bankPage(attempt));
  }

  /** Handles the buttons. Responds with the form that sends the browser back to the return address. */
  @Post(':id')
  @AcceptsForm()
  async decide(
    @Param('id') id: string,
    @Body({ schema: pageForm }) { action }: z.output<typeof pageForm>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const attempt = await this.playBank.execute(id, action);
    if (!attempt) {
      unknown(reply);
      return;
    }
    void reply.status(200);
    this.sendBack(attempt, reply);
  }

  private sendBack(attempt: SdkPaymentRow, reply: FastifyReply): void {
    if (attempt.callback_url === null)
      return void reply.headers(headersFor("'self'")).send(bankPage(attempt));
    const fields = returnFields(attempt, this.config.sdkvendor.keySecret);
    const [origin = "'none'"] = policySources(attempt.callback_url);
    void reply.headers(headersFor(origin)).send(returnPage(attempt.callback_url, fields));
  }
}

function unknown(reply: FastifyReply): void {
  void reply.status(404).headers(headersFor("'none'")).send(unknownBankPage());
}
