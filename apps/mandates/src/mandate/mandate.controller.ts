import {
  cancelledMandate,
  createdMandate,
  createMandate,
  mandate,
  mandateFilters,
} from '@fundrail/contracts';
import type {
  CancelledMandateDto,
  CreatedMandateDto,
  CreateMandateRequest,
  MandateDto,
} from '@fundrail/contracts';
import {
  CallerOf,
  pageQuery,
  pageSchema,
  pathId,
  type Caller,
  type PageOf,
} from '@fundrail/service-kit/http';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CancelMandate } from './cancel-mandate.ts';
import { CreateMandate } from './create-mandate.ts';
import { FindMandates, type MandateQuery } from './find-mandates.ts';

/** Mandates: docs/specification/mandates.md. */
@ApiTags('Mandates')
@Controller('api/pg/mandates')
export class MandateController {
  constructor(
    private readonly create: CreateMandate,
    private readonly find: FindMandates,
    private readonly cancel: CancelMandate,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiOperation({
    summary: 'Create a mandate on a bank account; the investor then authorises it',
    description:
      '`mandate_limit` is the maximum amount of one debit, at most that of the policy `autopay_afa_limit` for UPI Autopay and of `mandate_validity` for an e-mandate (`GET /v2/policies`). It is CREATED until it is authorised.',
  })
  @ApiResponse({ status: 201, description: 'The ids of the mandate', standardSchema: createdMandate })
  createOne(
    @CallerOf() caller: Caller,
    @Body({ schema: createMandate }) request: CreateMandateRequest,
  ): Promise<CreatedMandateDto> {
    return this.create.execute(caller, request);
  }

  @Get()
  @ApiOperation({
    summary: 'List mandates, newest first',
    description:
      'Pages count from 0. Returns all mandates of the tenant, or those of the given bank accounts.',
  })
  @ApiResponse({
    status: 200,
    description: 'A page of mandates',
    standardSchema: pageSchema('mandates', mandate),
  })
  list(
    @CallerOf() caller: Caller,
    @Query({ schema: pageQuery(mandateFilters) }) query: MandateQuery,
  ): Promise<PageOf<'mandates', MandateDto>> {
    return this.find.page(caller.tenant, query);
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Fetch a mandate by its id or its mandate_ref',
    description: "404 when it is unknown or another tenant's.",
  })
  @ApiResponse({ status: 200, description: 'The mandate', standardSchema: mandate })
  get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<MandateDto> {
    return this.find.one(caller.tenant, pathId('mandate', id));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Cancel an approved or paused mandate; no further debit is started',
    description:
      'The mandate is CANCELLED immediately. `debits_in_flight` lists the payments whose debit was already sent to the provider; their result still counts.',
  })
  @ApiResponse({
    status: 200,
    description: 'The mandate, CANCELLED, and the payments whose debits were already sent',
    standardSchema: cancelledMandate,
  })
  cancelOne(@CallerOf() caller: Caller, @Param('id') id: string): Promise<CancelledMandateDto> {
    return this.cancel.execute(caller, pathId('mandate', id));
  }
}
