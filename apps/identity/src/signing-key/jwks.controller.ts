import { Public } from '@fundrail/service-kit/http';
import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { KeyRing } from './key-ring.ts';

const jwks = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).meta({ id: 'JsonWebKeySet' });

/** The public keys that verify tokens (RFC 7517). */
@ApiTags('Authentication')
@Controller('.well-known')
export class JwksController {
  constructor(private readonly keys: KeyRing) {}

  // Five minutes: a third of the time that a key is published before its first use.
  @Get('jwks.json')
  @Public()
  @ApiOperation({
    operationId: 'getSigningKeys',
    summary: 'Fetch the public keys that verify access tokens',
    description:
      'A JSON Web Key Set. A key is published from 15 minutes before its first use until an hour after its last.',
  })
  @Header('cache-control', 'public, max-age=300')
  @ApiResponse({ status: 200, description: 'The key set.', standardSchema: jwks })
  async jwks(): Promise<z.output<typeof jwks>> {
    return { keys: (await this.keys.published()).map((key) => ({ ...key })) };
  }
}
