import {
  found,
  idInPath,
  prefixedId,
  PROFILE_DETAILS,
  profileDetailSchemas,
  type ProfileDetailContent,
  type ProfileDetailDto,
  type ProfileDetailKind,
} from '@fundrail/contracts';
import { DataCipher } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, listOf, listQuery, listSchema, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Get, Inject, Param, Post, Query, type Type } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { newestOf } from '../tenant/of-tenant.ts';
import { CreateProfileDetail } from './create-profile-detail.ts';
import { toProfileDetail } from './profile-detail.ts';
import { profileDetails } from './profile-detail.repository.ts';

interface Asked {
  readonly limit: number;
  readonly starting_after?: string | undefined;
  readonly profile?: string | undefined;
}

const DESCRIPTION =
  'It never changes: create another one instead. All its fields are encrypted at rest. They have no effect on orders, except where `folio_defaults` names it.';

/** INV-15: the routes of one kind of detail. */
function controllerOf(kind: ProfileDetailKind): Type {
  const { path, id: idKind } = PROFILE_DETAILS[kind];
  const { create, object } = profileDetailSchemas(kind);
  const query = listQuery({
    starting_after: prefixedId(idKind).optional(),
    profile: prefixedId('investorProfile').optional(),
  });
  const noun = kind.replaceAll('_', ' ');
  const answers = { status: 200, description: `The ${noun}.`, standardSchema: object };

  @ApiTags('Investors')
  @Controller(`v2/${path}`)
  class ProfileDetailController {
    constructor(
      @Inject(Database) private readonly database: Database,
      @Inject(DataCipher) private readonly cipher: DataCipher,
      @Inject(CreateProfileDetail) private readonly createDetail: CreateProfileDetail,
    ) {}

    @Post()
    @ApiOperation({
      summary: `Record a ${noun} of an investor`,
      description: DESCRIPTION,
    })
    @ApiResponse(answers)
    create(
      @CallerOf() caller: Caller,
      @Body({ schema: create }) body: ProfileDetailContent & { readonly profile: string },
    ): Promise<ProfileDetailDto> {
      return this.createDetail.execute(caller, kind, body);
    }

    @Get()
    @ApiOperation({
      summary: 'List them, newest first',
      description: 'Returns those of all investors of the tenant, or of one investor profile.',
    })
    @ApiResponse({ ...answers, description: 'Newest first.', standardSchema: listSchema(object) })
    async list(@CallerOf() caller: Caller, @Query({ schema: query }) asked: Asked) {
      const filter = asked.profile === undefined ? { kind } : { kind, profile: asked.profile };
      const rows = await profileDetails.list(this.database, ...newestOf(caller.tenant, asked, filter));
      return listOf(rows.map((row) => toProfileDetail(row, this.cipher)));
    }

    @Get(':id')
    @ApiOperation({
      summary: `Fetch a ${noun} by its id`,
      description: '404 when it is unknown or belongs to another tenant.',
    })
    @ApiResponse(answers)
    async get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<ProfileDetailDto> {
      const key = { tenant: caller.tenant, id: idInPath(idKind, id) };
      return toProfileDetail(found(await profileDetails.find(this.database, key)), this.cipher);
    }
  }
  return ProfileDetailController;
}

/** The controllers of all kinds. */
export const profileDetailControllers = (Object.keys(PROFILE_DETAILS) as ProfileDetailKind[]).map(
  controllerOf,
);
