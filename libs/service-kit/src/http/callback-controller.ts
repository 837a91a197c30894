import { takenCallback } from '@fundrail/contracts';
import { Controller, Headers, Inject, Post, type Type } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Public } from './auth/route-policy.ts';
import { RawBody } from './caller.ts';

type CallbackHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Takes the callbacks of `From`. Throws 400 when the signature does not match the raw body, or the body cannot be read. */
interface TakesCallbacks<From> {
  execute(headers: CallbackHeaders, rawBody: string, from: From): Promise<void>;
}

/** An address where an outside system reports, and what the document of the interface says of it. */
interface CallbackAddress<From> {
  readonly path: string;
  readonly from: From;
  readonly summary: string;
  readonly description: string;
  /** What is stored. */
  readonly noun?: string;
}

/** The controller of such an address. It has no token: `Take` checks each callback by its signature (GATE-7). */
export function callbackController<From>(
  Take: Type<TakesCallbacks<From>>,
  { path, from, noun = 'report', ...operation }: CallbackAddress<From>,
): Type {
  @ApiTags('Callbacks')
  @Public()
  @Controller(path)
  class CallbackController {
    constructor(@Inject(Take) private readonly take: TakesCallbacks<From>) {}

    @Post()
    @ApiOperation(operation)
    @ApiBody({ required: true, schema: { type: 'object', additionalProperties: true } })
    @ApiResponse({ status: 200, description: `The ${noun} is stored`, standardSchema: takenCallback })
    async report(@Headers() headers: CallbackHeaders, @RawBody() body: string): Promise<{ received: true }> {
      await this.take.execute(headers, body, from);
      return { received: true };
    }
  }
  return CallbackController;
}
