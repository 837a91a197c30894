import {
  ApiError,
  client,
  createClient,
  createdClient,
  found,
  type ClientDto,
  type CreatedClientDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { CallerOf, listOf, listSchema, RequireScope, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { PathName } from '../tenant/path-name.pipe.ts';
import { findTenant } from '../tenant/tenant.repository.ts';
import { toClient } from './client.ts';
import { findClient, listClients, removeClient } from './client.repository.ts';
import { CreateClient } from './create-client.ts';

const removed = z
  .strictObject({ object: z.literal('client'), client_id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'DeletedClient' });

/** ADMIN-3: the clients of a tenant. */
@ApiTags('Administration')
@Controller('admin/tenants/:tenant/clients')
@RequireScope('admin')
export class ClientController {
  constructor(
    private readonly database: Database,
    private readonly createOne: CreateClient,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Create a client of a tenant; only this response contains its secret',
    description: 'The client requests tokens with its id and secret. `scope` limits what its tokens may do.',
  })
  @ApiResponse({ status: 200, description: 'The client, with its secret.', standardSchema: createdClient })
  create(
    @CallerOf() caller: Caller,
    @Param('tenant', PathName) tenant: string,
    @Body({ schema: createClient }) body: z.output<typeof createClient>,
  ): Promise<CreatedClientDto> {
    return this.createOne.execute(caller, tenant, body.scope);
  }

  @Get()
  @ApiOperation({
    summary: 'List the clients of a tenant, newest first',
    description: 'Returns the clients without their secrets.',
  })
  @ApiResponse({ status: 200, description: 'The clients, newest first.', standardSchema: listSchema(client) })
  async list(@Param('tenant', PathName) tenant: string) {
    found(await findTenant(this.database, tenant));
    return listOf((await listClients(this.database, tenant)).map(toClient));
  }

  @Get(':clientId')
  @ApiOperation({ summary: 'Fetch a client', description: 'Returns the client without its secret.' })
  @ApiResponse({ status: 200, description: 'The client.', standardSchema: client })
  async get(
    @Param('tenant', PathName) tenant: string,
    @Param('clientId', PathName) clientId: string,
  ): Promise<ClientDto> {
    return toClient(found(await findClient(this.database, tenant, clientId)));
  }

  /** The client gets no new token. Its live tokens end within 30 minutes. */
  @Delete(':clientId')
  @ApiOperation({
    summary: 'Remove a client; its live tokens expire within 30 minutes',
    description: 'The client gets no more tokens.',
  })
  @ApiResponse({ status: 200, description: 'The client is removed.', standardSchema: removed })
  async remove(
    @Param('tenant', PathName) tenant: string,
    @Param('clientId', PathName) clientId: string,
  ): Promise<z.output<typeof removed>> {
    if (!(await removeClient(this.database, tenant, clientId))) throw new ApiError('NOT_FOUND');
    return { object: 'client', client_id: clientId, deleted: true };
  }
}
