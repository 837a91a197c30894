import { askMandates, beginAuthorisation, mandateFact, releaseAuthorisation } from '@fundrail/contracts';
import type {
  AskMandates,
  AuthorisationResult,
  BeginAuthorisation as AuthorisationAsked,
  MandateFact,
  MandateFacts,
  MandateTerms,
  ReleaseAuthorisation,
} from '@fundrail/contracts';
import { Internal, pathId } from '@fundrail/service-kit/http';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { z } from 'zod';
import { BeginAuthorisation } from '../authorisation/begin-authorisation.ts';
import { TakeMandateCallback } from '../fact/take-mandate-callback.ts';
import { FindMandates } from './find-mandates.ts';

const ofTenant = z.strictObject({ tenant: z.string() });

/** The internal endpoints for payments (CALL-6); no edge routes them. */
@ApiExcludeController()
@Internal()
@Controller('internal/mandates')
export class InternalController {
  constructor(
    private readonly find: FindMandates,
    private readonly authorisations: BeginAuthorisation,
    private readonly callbacks: TakeMandateCallback,
  ) {}

  @Get(':id')
  facts(
    @Param('id') id: string,
    @Query({ schema: ofTenant }) { tenant }: { tenant: string },
  ): Promise<MandateTerms> {
    return this.find.terms(tenant, pathId('mandate', id));
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
}
