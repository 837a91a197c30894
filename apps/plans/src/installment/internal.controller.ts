import { drawInstallment, type DrawInstallment as Asked, type DrawResult } from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DrawInstallment } from './draw-installment.ts';

/** The internal endpoint for orders (CALL-6); no edge routes it. Replicas of the release before call it by the former name. */
@ApiExcludeController()
@Internal()
@Controller(['internal/plans', 'internal/swp'])
export class InternalController {
  constructor(private readonly draw: DrawInstallment) {}

  @Post('installments')
  @HttpCode(200)
  drawOne(@Body({ schema: drawInstallment }) asked: Asked): Promise<DrawResult> {
    return this.draw.execute(asked);
  }
}
