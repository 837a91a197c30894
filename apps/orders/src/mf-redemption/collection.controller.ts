import { giveBackRequest, type GiveBackAnswer, type GiveBackRequest } from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ReturnCollection } from './return-collection.ts';

/** The internal endpoint of payments for the money of collected installments (decision 0030). */
@ApiExcludeController()
@Internal()
@Controller('internal/collections')
export class CollectionController {
  constructor(private readonly returned: ReturnCollection) {}

  @Post('give-back')
  @HttpCode(200)
  giveBack(@Body({ schema: giveBackRequest }) request: GiveBackRequest): Promise<GiveBackAnswer> {
    return this.returned.execute(request);
  }
}
