import { createdDebit, debitMandate } from '@fundrail/contracts';
import type { CreatedDebitDto, DebitMandateRequest } from '@fundrail/contracts';
import { CallerOf, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RaiseDebit } from './raise-debit.ts';

/** Debits of mandates, docs/specification/debits.md. */
@ApiTags('Payments')
@Controller('api/pg/payments/nach')
export class DebitController {
  constructor(private readonly debits: RaiseDebit) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'debitMandate',
    summary: 'Debit an approved mandate for one order',
    description:
      'Create a debit instead of a payment, then confirm the order as usual. The investor is notified a day before. The debit is made in the windows of NPCI, with retries after temporary failures. `debit_date` is the planned day.',
  })
  @ApiResponse({
    status: 200,
    description: 'The NACH payment; the debit runs after its order is submitted',
    standardSchema: createdDebit,
  })
  one(
    @CallerOf() caller: Caller,
    @Body({ schema: debitMandate }) request: DebitMandateRequest,
  ): Promise<CreatedDebitDto> {
    return this.debits.forCaller(caller, request);
  }
}
