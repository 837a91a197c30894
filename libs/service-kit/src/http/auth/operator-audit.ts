import { ApiError, tenantName, type BeginOperatorCall } from '@fundrail/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../../logging/log.ts';
import type { OperatorCalls } from '../operator-calls.ts';
import type { VerifiedToken } from './access-tokens.ts';
import { RefusalCounts } from './refusal-counts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of the row for this call of an operator; null when it needs none. */
    operatorCall: number | null;
  }
}

const LONGEST_PATH = 500;
/** Counts of repeated refusals are written at least this often, in wall milliseconds. */
const WRITE_EVERY_MS = 60_000;

/**
 * Keeps the record of operators (decision 0032). It writes a row before each call of an admin route and each use of an admin token in
 * another tenant than its own, so that nothing is done without a row, and a row for each refusal of these. A repeated refusal within
 * a minute is only counted.
 */
export class OperatorAudit {
  private readonly refusals: RefusalCounts;
  private writing: NodeJS.Timeout | undefined;

  constructor(
    private readonly calls: OperatorCalls,
    private readonly log: Log,
  ) {
    this.refusals = new RefusalCounts(calls);
  }

  /** Writes the status of each call before its answer is sent. */
  watch(fastify: FastifyInstance): void {
    fastify.decorateRequest('operatorCall', null);
    fastify.addHook('onSend', async (request, reply, payload) => {
      if (request.operatorCall !== null) await this.calls.end(request.operatorCall, reply.statusCode);
      return payload;
    });
    this.writing = setInterval(() => void this.refusals.write(), WRITE_EVERY_MS);
    this.writing.unref();
  }

  /** Writes the remaining counts, while identity, which may be this process, still answers. */
  async end(): Promise<void> {
    clearInterval(this.writing);
    await this.refusals.write();
  }

  /** Rejects with 503 when no row could be written, and with 403 when `x-tenant-id` names a tenant that does not exist. */
  async admitted(request: FastifyRequest, token: VerifiedToken, named: string): Promise<void> {
    const { id, is_tenant_known } = await this.calls.begin(callOf(request, token, named, null));
    request.operatorCall = id;
    if (!is_tenant_known) throw new ApiError('FORBIDDEN', 'x-tenant-id names a tenant that does not exist.');
  }

  /** Does not wait, because a refusal has no effect. `token` is null when none was valid. */
  refused(request: FastifyRequest, token: VerifiedToken | null, named: string | null, status: number): void {
    const call = callOf(request, token, named, status);
    // Without the parts that the caller can vary, because each variation would be another refusal.
    const same = [call.tenant, call.client_id, call.method, request.routeOptions.url, status].join('\n');
    this.refusals.note(same, call).catch((error: unknown) => {
      this.log.error('a refused call of an operator could not be recorded', error);
    });
  }
}

function callOf(
  request: FastifyRequest,
  token: VerifiedToken | null,
  named: string | null,
  status: number | null,
): BeginOperatorCall {
  const own = token?.tenant ?? null;
  return {
    tenant: own,
    client_id: token?.client_id ?? null,
    acted_in: tenantInPath(request) ?? named ?? own,
    named_tenant: named === own ? null : named,
    method: request.method,
    path: (request.url.split('?')[0] ?? '').slice(0, LONGEST_PATH),
    request_id: request.id,
    status,
  };
}

/** The tenant in the path of an admin route; null when it is not a valid tenant name. */
function tenantInPath({ params, routeOptions }: FastifyRequest): string | null {
  if (routeOptions.url?.startsWith('/admin/tenants/:') !== true) return null;
  const [tenant] = Object.values(params as Record<string, string>);
  return tenantName.safeParse(tenant).data ?? null;
}
