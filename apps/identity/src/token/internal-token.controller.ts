import { ApiError, signedIn, signIn, type SignedIn, type SignIn } from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { IssueToken } from './issue-token.ts';
import { TokenRefused } from './token-request.ts';

/** An older replica of the page's service says no address. */
const UNKNOWN_ADDRESS = 'unknown';

/** For the pages that a client's developers sign in to. */
@Controller('internal/tokens')
@Internal()
export class InternalTokenController {
  constructor(private readonly issueToken: IssueToken) {}

  /** Without any scope, whatever the client holds: a page is for its tenant alone. */
  @Post()
  @ApiResponse({ status: 200, description: 'A token, or none.', standardSchema: signedIn })
  async signIn(@Body({ schema: signIn }) body: SignIn): Promise<SignedIn> {
    const { tenant, client_id, client_secret, address = UNKNOWN_ADDRESS } = body;
    try {
      const request = { client_id, client_secret, scope: '' };
      return { access_token: (await this.issueToken.execute(tenant, request, address)).access_token };
    } catch (error) {
      if (error instanceof TokenRefused) return { access_token: null };
      // As a fact of the answer: an error's Retry-After would not get past the page's service.
      if (error instanceof ApiError && error.code === 'RATE_LIMITED')
        return { access_token: null, retry_after_s: error.retryAfter ?? 1 };
      throw error;
    }
  }
}
