import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { importJWK, jwtVerify } from 'jose';

interface RequestWithTenant {
  headers: { authorization?: string };
  tenant?: string;
}

/** Verifies the bearer token on each request, as the tutorials' guards do. */
@Injectable()
export class AuthGuard implements CanActivate {
  private readonly key = importJWK(JSON.parse(process.env['BASELINE_JWK'] ?? '{}'), 'ES256');

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RequestWithTenant>();
    const token = request.headers.authorization?.replace(/^Bearer /, '');
    if (!token) throw new UnauthorizedException();
    try {
      const { payload } = await jwtVerify(token, await this.key);
      request.tenant = String(payload['tenant']);
      return true;
    } catch {
      throw new UnauthorizedException();
    }
  }
}
