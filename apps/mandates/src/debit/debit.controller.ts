import { admitDebit, admitDebits, askDebit, cancelDebit, releaseDebit } from '@fundrail/contracts';
import type {
  AdmitDebit as DebitToAdmit,
  AdmitDebits,
  AskDebit as DebitToAsk,
  CancelDebit,
  CancelledDebit,
  DebitAsked,
  DebitResult,
  DebitResults,
  ReleaseDebit,
} from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AdmitDebit } from './admit-debit.ts';
import { AskDebit } from './ask-debit.ts';
import { EndDebit } from './end-debit.ts';

/** The internal endpoints that admit and end debits, for payments (CALL-6); no edge routes them. */
@ApiExcludeController()
@Internal()
@Controller('internal/mandates/debits')
export class DebitController {
  constructor(
    private readonly admissions: AdmitDebit,
    private readonly ends: EndDebit,
    private readonly questions: AskDebit,
  ) {}

  @Post()
  @HttpCode(200)
  admit(@Body({ schema: admitDebit }) asked: DebitToAdmit): Promise<DebitResult> {
    return this.admissions.execute(asked);
  }

  @Post('batch')
  @HttpCode(200)
  async admitAll(@Body({ schema: admitDebits }) { debits }: AdmitDebits): Promise<DebitResults> {
    return { results: await this.admissions.executeAll(debits) };
  }

  @Post('release')
  @HttpCode(200)
  async release(@Body({ schema: releaseDebit }) asked: ReleaseDebit): Promise<{ released: boolean }> {
    return { released: await this.ends.release(asked) };
  }

  @Post('cancel')
  @HttpCode(200)
  async cancel(@Body({ schema: cancelDebit }) asked: CancelDebit): Promise<CancelledDebit> {
    return { outcome: await this.ends.cancel(asked) };
  }

  @Post('ask')
  @HttpCode(200)
  ask(@Body({ schema: askDebit }) asked: DebitToAsk): Promise<DebitAsked> {
    return this.questions.forOperator(asked);
  }
}
