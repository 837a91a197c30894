import { integerId } from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { z } from 'zod';

const anything = z.looseObject({});
const permits = z.looseObject({ permits: z.array(z.looseObject({ payment_id: integerId })) });

/**
 * The permits that payments of release 0.1 asks for before its provider calls. It gets none: the debit is carried out here since this
 * release, and a replica of the release before postpones its own call until it is replaced. The next release drops these routes.
 */
@ApiExcludeController()
@Internal()
@Controller('internal/mandates/permits')
export class PermitController {
  @Post()
  @HttpCode(200)
  one(@Body({ schema: anything }) _: object): { outcome: 'later' } {
    return { outcome: 'later' };
  }

  @Post('batch')
  @HttpCode(200)
  many(@Body({ schema: permits }) asked: z.infer<typeof permits>): { results: object[] } {
    return { results: asked.permits.map(({ payment_id }) => ({ payment_id, outcome: 'later' })) };
  }

  @Post('close')
  @HttpCode(200)
  close(@Body({ schema: anything }) _: object): { closed: boolean } {
    return { closed: true };
  }
}
