import { TOKEN_ERRORS } from '@fundrail/contracts';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { TokenRefused } from './token-request.ts';

/** Answers a refusal in the format of RFC 6749 §5.2, which differs from that of the other routes. */
@Catch(TokenRefused)
export class TokenRefusedFilter implements ExceptionFilter<TokenRefused> {
  async catch(refused: TokenRefused, host: ArgumentsHost): Promise<void> {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const status = TOKEN_ERRORS[refused.code];
    if (status === 401) void reply.header('www-authenticate', 'Basic realm="fundrail", charset="UTF-8"');
    await reply
      .status(status)
      .header('cache-control', 'no-store')
      .header('pragma', 'no-cache')
      .send({ error: refused.code, error_description: refused.message });
  }
}
