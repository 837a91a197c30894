import { resolveRequest } from '@fundrail/contracts';
import type { resolveAnswer } from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { z } from 'zod';
import { ResolvePayments } from './resolve-payments.ts';

/** For the neighbours only; no edge routes it. */
@ApiExcludeController()
@Internal()
@Controller('internal/payments')
export class InternalController {
  constructor(private readonly resolve: ResolvePayments) {}

  @Post('resolve')
  @HttpCode(200)
  resolveAll(
    @Body({ schema: resolveRequest }) request: z.output<typeof resolveRequest>,
  ): Promise<z.output<typeof resolveAnswer>> {
    return this.resolve.execute(request.payment_ids);
  }
}
