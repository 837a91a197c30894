import { accessToken, tokenError, type AccessTokenDto } from '@fundrail/contracts';
import { AcceptsForm, AnswersAsOAuth, clientOf, Public, RawBody } from '@fundrail/service-kit/http';
import { Controller, Header, Headers, Param, Post, Req, UseFilters } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { IdentityConfig } from '../config.ts';
import { IssueToken } from './issue-token.ts';
import { readTokenRequest } from './token-request.ts';
import { TokenRefusedFilter } from './token-refused.filter.ts';

/** For the documents only: RFC 6749 §4.4.2, read by `readTokenRequest`, which accepts unknown fields (CONV-13). */
const FORM = {
  type: 'object',
  required: ['grant_type'],
  properties: {
    grant_type: { type: 'string', enum: ['client_credentials'] },
    client_id: { type: 'string', description: 'The id of the client; or use HTTP Basic' },
    client_secret: { type: 'string', format: 'password', description: 'The secret of the client' },
    scope: { type: 'string', description: 'a subset of the scopes of the client; all of them when absent' },
  },
};

/** RFC 6749 §3.2: the token endpoint. */
@ApiTags('Authentication')
@Controller('v2/auth')
export class TokenController {
  constructor(
    private readonly issueToken: IssueToken,
    private readonly config: IdentityConfig,
  ) {}

  @Post(':tenant/token')
  @Public()
  @AcceptsForm()
  @AnswersAsOAuth()
  @ApiOperation({
    operationId: 'issueToken',
    summary: 'Issue an access token for the client credentials',
    description:
      'OAuth 2.0 client credentials as a form post. The token is a JWT, valid for 30 minutes, for the tenant in the path.',
  })
  @Header('cache-control', 'no-store')
  @Header('pragma', 'no-cache')
  @UseFilters(TokenRefusedFilter)
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({ required: true, schema: FORM })
  @ApiResponse({ status: 200, description: 'The access token.', standardSchema: accessToken })
  @ApiResponse({ status: 400, description: 'Refused, RFC 6749 §5.2.', standardSchema: tokenError })
  @ApiResponse({
    status: 401,
    description: 'The client is unknown in this tenant, or the secret is wrong.',
    standardSchema: tokenError,
  })
  @ApiResponse({ status: 413, description: 'The body is larger than 16 KiB.', standardSchema: tokenError })
  @ApiResponse({
    status: 415,
    description: 'The media type is not that of a form; the Accept header contains the required one.',
    standardSchema: tokenError,
  })
  @ApiResponse({
    status: 429,
    description:
      'Too many wrong secrets for this client or from this address; Retry-After states when to retry.',
  })
  token(
    @Param('tenant') tenant: string,
    @Headers('authorization') authorization: string | undefined,
    @RawBody() form: string,
    @Req() { ip, headers }: FastifyRequest,
  ): Promise<AccessTokenDto> {
    const address = clientOf(ip, headers['x-forwarded-for'], this.config.trustedProxies);
    return this.issueToken.execute(tenant, readTokenRequest(authorization, form), address);
  }
}
