import { signedIn, signIn, type SignedIn, type SignIn } from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { IssueToken } from './issue-token.ts';
import { TokenRefused } from './token-request.ts';

/** For the pages that a client's developers sign in to. */
@Controller('internal/tokens')
@Internal()
export class InternalTokenController {
  constructor(private readonly issueToken: IssueToken) {}

  /** Without any scope, whatever the client holds: a page is for its tenant alone. */
  @Post()
  @ApiResponse({ status: 200, description: 'A token, or none.', standardSchema: signedIn })
  async signIn(@Body({ schema: signIn }) { tenant, client_id, client_secret }: SignIn): Promise<SignedIn> {
    try {
      const request = { client_id, client_secret, scope: '' };
      return { access_token: (await this.issueToken.execute(tenant, request)).access_token };
    } catch (error) {
      if (error instanceof TokenRefused) return { access_token: null };
      throw error;
    }
  }
}
