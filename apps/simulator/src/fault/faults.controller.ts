import { Database } from '@fundrail/service-kit/db';
import { CallerOf, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { faultObject, faultRequest, type FaultRequest } from './fault.ts';
import { insertFault } from './fault.repository.ts';

@ApiTags('Sandbox')
@Controller('sandbox/faults')
export class FaultsController {
  constructor(private readonly db: Database) {}

  /** Arms a fault for the next calls or callbacks that concern this tenant's objects. */
  @Post()
  @ApiOperation({
    summary: 'Inject a fault into an outside system: its next calls or callbacks for your objects',
    description:
      'Sandbox only. Delays, drops, duplicates or corrupts calls and callbacks, so that you can test how your integration handles them.',
  })
  @ApiResponse({ status: 200, description: 'The fault is armed', standardSchema: faultObject })
  create(@CallerOf() caller: Caller, @Body({ schema: faultRequest }) fault: FaultRequest) {
    return this.db.transaction(async (tx) => {
      const id = await insertFault(tx, caller.tenant, fault, tx.now);
      return caller.answer(tx, { object: 'sandbox_fault', id, ...fault, delay_ms: fault.delay_ms ?? null });
    });
  }
}
