import { authoriseMandate, createdAuthorisation } from '@fundrail/contracts';
import type { AuthoriseMandateRequest, CreatedAuthorisationDto } from '@fundrail/contracts';
import { CallerOf, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AuthoriseMandate } from './authorise-mandate.ts';

/** Mandate authorisations, docs/specification/mandates.md. */
@ApiTags('Payments')
@Controller('api/pg/payments/emandate')
export class AuthorisationController {
  constructor(private readonly authorise: AuthoriseMandate) {}

  @Post('auth')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'authoriseMandate',
    summary: 'Ask the investor to authorise a mandate',
    description:
      "Creates a payment of type AUTH_TRANSACTION. With `upi.type: uri`, the response contains the URI. With `collect`, the investor's UPI app receives the request. Without `upi`, the response contains the hosted page's `token_url` and, where they are enabled, the SDK options of SDKVENDOR. A mandate has one authorisation at a time: 409 AUTH_IN_PROGRESS.",
  })
  @ApiResponse({
    status: 200,
    description: 'The AUTH_TRANSACTION payment, with the URI, or the page and the SDK options',
    standardSchema: createdAuthorisation,
  })
  one(
    @CallerOf() caller: Caller,
    @Body({ schema: authoriseMandate }) request: AuthoriseMandateRequest,
  ): Promise<CreatedAuthorisationDto> {
    return this.authorise.execute(caller, request);
  }
}
