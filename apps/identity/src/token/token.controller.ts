import { accessToken, tokenError, type AccessTokenDto } from '@fundrail/contracts';
import { AcceptsForm, Public, RawBody } from '@fundrail/service-kit/http';
import { Controller, Header, Headers, Param, Post, UseFilters } from '@nestjs/common';
import { ApiConsumes, ApiResponse, ApiTags } from '@nestjs/swagger';
import { IssueToken } from './issue-token.ts';
import { readTokenRequest } from './token-request.ts';
import { TokenRefusedFilter } from './token-refused.filter.ts';

/** RFC 6749 §3.2: the token endpoint. */
@ApiTags('Authentication')
@Controller('v2/auth')
export class TokenController {
  constructor(private readonly issueToken: IssueToken) {}

  @Post(':tenant/token')
  @Public()
  @AcceptsForm()
  @Header('cache-control', 'no-store')
  @Header('pragma', 'no-cache')
  @UseFilters(TokenRefusedFilter)
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiResponse({ status: 200, description: 'The access token.', standardSchema: accessToken })
  @ApiResponse({ status: 400, description: 'Refused, RFC 6749 §5.2.', standardSchema: tokenError })
  @ApiResponse({ status: 401, description: 'Not a client of this tenant.', standardSchema: tokenError })
  token(
    @Param('tenant') tenant: string,
    @Headers('authorization') authorization: string | undefined,
    @RawBody() form: string,
  ): Promise<AccessTokenDto> {
    return this.issueToken.execute(tenant, readTokenRequest(authorization, form));
  }
}
