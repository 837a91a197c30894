import {
  ApiError,
  simulatedAuthorisation,
  type SimulatedAuthorisation,
  type startedAuthorisation,
} from '@fundrail/contracts';
import { Internal, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { z } from 'zod';
import { PaymentsConfig } from '../../config.ts';
import { AuthoriseMandate } from './authorise-mandate.ts';

/** For the simulator: the authorisation that a mandate needs before its bank can be simulated (COMP-13). */
@ApiExcludeController()
@Internal()
@Controller('internal/authorisations')
export class InternalAuthorisationController {
  constructor(
    private readonly authorise: AuthoriseMandate,
    private readonly config: PaymentsConfig,
  ) {}

  /** Throws `ApiError`: 404 outside the sandbox, otherwise as `AuthoriseMandate`. */
  @Post()
  @HttpCode(200)
  async start(
    @Body({ schema: simulatedAuthorisation }) { tenant, authorisation }: SimulatedAuthorisation,
  ): Promise<z.output<typeof startedAuthorisation>> {
    if (!this.config.sandbox) throw new ApiError('NOT_FOUND');
    const { id } = await this.authorise.execute(simulated(tenant), authorisation);
    return { id };
  }
}

/** The tenant's client, as which the simulator acts. */
function simulated(tenant: string): Caller {
  return {
    ...{ tenant, client_tenant: tenant, client_id: 'simulator', scopes: [], request_id: 'simulator' },
    ...{ compatibility: null, idempotency: null },
    answer: (_tx, body) => Promise.resolve(body),
  };
}
