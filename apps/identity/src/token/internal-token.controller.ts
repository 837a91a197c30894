import { ApiError, signedIn, signIn, type SignedIn, type SignIn } from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { IssueToken } from './issue-token.ts';
import { TokenRefused } from './token-request.ts';

/** An older replica of the page's service sends no address. */
const UNKNOWN_ADDRESS = 'unknown';

/** Tokens for the pages to which a client's developers sign in. */
@Controller('internal/tokens')
@Internal()
export class InternalTokenController {
  constructor(private readonly issueToken: IssueToken) {}

  /** Grants no scope, because a page is for its tenant only. */
  @Post()
  @ApiResponse({ status: 200, description: 'A token, or none.', standardSchema: signedIn })
  async signIn(@Body({ schema: signIn }) body: SignIn): Promise<SignedIn> {
    const { tenant, client_id, client_secret, address = UNKNOWN_ADDRESS } = body;
    try {
      const request = { client_id, client_secret, scope: '' };
      return { access_token: (await this.issueToken.execute(tenant, request, address)).access_token };
    } catch (error) {
      if (error instanceof TokenRefused) return { access_token: null };
      // Returned in the body, because the page's service would not pass on an error's Retry-After.
      if (error instanceof ApiError && error.code === 'RATE_LIMITED')
        return { access_token: null, retry_after_s: error.retryAfter ?? 1 };
      throw error;
    }
  }
}
