import { ApiError } from '@fundrail/contracts';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** A definite refusal of the simulated Razorpay: 400, and 401 for an invalid key. */
export class RazorpayRefusal extends Error {
  constructor(
    readonly reason: string,
    description: string,
    readonly status: 400 | 401 = 400,
  ) {
    super(description);
  }
}

/** The object with an id. Throws when there is none: Razorpay responds to an unknown id with a 400. */
export function existing<T>(found: T | null): T {
  if (found === null) throw new RazorpayRefusal('input_validation_failed', 'The id provided does not exist');
  return found;
}

/** Responds in Razorpay's own error format (razorpay.com/docs/errors). */
@Catch()
export class RazorpayRefusalFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const { status, code, description, reason } = wireErrorOf(error);
    const body = { code, description, source: 'business', step: 'payment_initiation', reason, metadata: {} };
    void host.switchToHttp().getResponse<FastifyReply>().status(status).send({ error: body });
  }
}

function wireErrorOf(error: unknown) {
  const code = 'BAD_REQUEST_ERROR';
  if (error instanceof RazorpayRefusal)
    return { status: error.status, code, description: error.message, reason: error.reason };
  if (error instanceof ApiError && error.status < 500) {
    const fields = error.errors.map(({ field, message }) => `${field} ${message}`).join('; ');
    return { status: 400, code, description: fields || error.message, reason: 'input_validation_failed' };
  }
  const description = 'We are facing some trouble completing your request at the moment.';
  return { status: 500, code: 'SERVER_ERROR', description, reason: 'server_error' };
}
