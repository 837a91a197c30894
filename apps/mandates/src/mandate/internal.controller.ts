import {
  admitDebit,
  askMandates,
  beginAuthorisation,
  closePermit,
  mandateFact,
  releaseAuthorisation,
  releaseDebit,
  takePermit,
  takePermits,
} from '@fundrail/contracts';
import type {
  AdmitDebit as DebitAsked,
  AskMandates,
  AuthorisationResult,
  BeginAuthorisation as AuthorisationAsked,
  ClosePermit,
  DebitResult,
  MandateFact,
  MandateFacts,
  PermitOfMany,
  PermitResult,
  ReleaseAuthorisation,
  ReleaseDebit,
  TakePermit,
  TakePermits,
} from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { z } from 'zod';
import { BeginAuthorisation } from '../authorisation/begin-authorisation.ts';
import { AdmitDebit } from '../debit/admit-debit.ts';
import { EndDebit } from '../debit/end-debit.ts';
import { GrantPermit } from '../debit/grant-permit.ts';
import { TakeMandateCallback } from '../fact/take-mandate-callback.ts';
import { FindMandates } from './find-mandates.ts';
import { mandateId } from './mandate-id.ts';

const ofTenant = z.strictObject({ tenant: z.string() });

/** The internal endpoints for payments (CALL-6); no edge routes them. */
@ApiExcludeController()
@Internal()
@Controller('internal/mandates')
export class InternalController {
  constructor(
    private readonly find: FindMandates,
    private readonly authorisations: BeginAuthorisation,
    private readonly admit: AdmitDebit,
    private readonly endDebit: EndDebit,
    private readonly permits: GrantPermit,
    private readonly callbacks: TakeMandateCallback,
  ) {}

  @Get(':id')
  facts(
    @Param('id') id: string,
    @Query({ schema: ofTenant }) { tenant }: { tenant: string },
  ): Promise<MandateFacts> {
    return this.find.facts(tenant, mandateId(id));
  }

  @Post('batch')
  @HttpCode(200)
  async factsOfAll(
    @Body({ schema: askMandates }) asked: AskMandates,
  ): Promise<{ mandates: readonly MandateFacts[] }> {
    return { mandates: await this.find.factsOfAll(asked) };
  }

  @Post('facts')
  @HttpCode(200)
  async takeFact(@Body({ schema: mandateFact }) fact: MandateFact): Promise<{ taken: true }> {
    const { status: state, ...report } = fact;
    await this.callbacks.take({ ...report, state });
    return { taken: true };
  }

  @Post('authorisations')
  @HttpCode(200)
  beginOne(@Body({ schema: beginAuthorisation }) asked: AuthorisationAsked): Promise<AuthorisationResult> {
    return this.authorisations.execute(asked);
  }

  @Post('authorisations/release')
  @HttpCode(200)
  async releaseOne(
    @Body({ schema: releaseAuthorisation }) { tenant, mandate_id, payment_id }: ReleaseAuthorisation,
  ): Promise<{ released: boolean }> {
    return { released: await this.authorisations.release(tenant, mandate_id, payment_id) };
  }

  @Post('debits')
  @HttpCode(200)
  admitOne(@Body({ schema: admitDebit }) asked: DebitAsked): Promise<DebitResult> {
    return this.admit.execute(asked);
  }

  @Post('debits/release')
  @HttpCode(200)
  async releaseDebit(
    @Body({ schema: releaseDebit }) { tenant, payment_id }: ReleaseDebit,
  ): Promise<{ released: boolean }> {
    return { released: await this.endDebit.release(tenant, payment_id) };
  }

  @Post('permits')
  @HttpCode(200)
  permit(@Body({ schema: takePermit }) asked: TakePermit): Promise<PermitResult> {
    return this.permits.execute(asked);
  }

  @Post('permits/batch')
  @HttpCode(200)
  async permitAll(
    @Body({ schema: takePermits }) { permits }: TakePermits,
  ): Promise<{ results: PermitOfMany[] }> {
    return { results: await this.permits.executeAll(permits) };
  }

  @Post('permits/close')
  @HttpCode(200)
  async closePermit(@Body({ schema: closePermit }) permit: ClosePermit): Promise<{ closed: boolean }> {
    return { closed: await this.permits.close(permit) };
  }
}
