import { ApiError } from '@fundrail/contracts';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** A definite refusal of the simulated gateway: 404 for an unknown object, 422 for a request that it refuses. */
export class GatewayRefusal extends Error {
  constructor(
    readonly status: 401 | 404 | 422,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The object with that reference or token. Throws the gateway's refusal when there is none. */
export function known<T>(found: T | null, reference: string): T {
  if (found === null) throw new GatewayRefusal(404, 'not_found', `${reference} is unknown`);
  return found;
}

/** Throws the gateway's refusal of a known reference (or key) unless the call is the one that created its object. */
export function mustBeSame(isSame: boolean, other: string): asserts isSame {
  if (!isSame) throw new GatewayRefusal(422, 'idempotency_mismatch', `that ${other}`);
}

/** Responds in the gateway's own error format, `{ code, message }`: it stands for another company's system, not one of our services. */
@Catch()
export class GatewayRefusalFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { status, code, message } = wireErrorOf(error);
    void reply.status(status).send({ code, message });
  }
}

function wireErrorOf(error: unknown): { status: number; code: string; message: string } {
  if (error instanceof GatewayRefusal) return error;
  if (error instanceof ApiError) {
    const fields = error.errors.map(({ field, message }) => `${field} ${message}`).join('; ');
    return { status: error.status, code: error.code.toLowerCase(), message: fields || error.message };
  }
  return { status: 500, code: 'internal_error', message: 'the gateway could not process the request' };
}
