import {
  ApiError,
  auditStarted,
  auditEnded,
  operatorCallStarted,
  type BeginOperatorCall,
  type OperatorCallStarted,
} from '@fundrail/contracts';
import { randomUUID } from 'node:crypto';
import type { Log } from '../logging/log.ts';
import type { ServiceClient } from './client/service-client.ts';

/** Writes operators' calls to the record in identity, for the services that answer them (decision 0032). */
export class OperatorCalls {
  constructor(
    private readonly services: ServiceClient,
    private readonly log: Log,
  ) {}

  /**
   * Rejects with 503 when identity did not confirm the row; then the call must have no effect. A call with a lost answer is repeated once
   * under the same name, which writes one row.
   */
  async begin(call: BeginOperatorCall): Promise<OperatorCallStarted> {
    try {
      return await this.services.call('identity', {
        method: 'POST',
        path: `/internal/operator_calls?call=${randomUUID()}`,
        body: call,
        answer: operatorCallStarted,
        retry: true,
      });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return this.beginAtOlder(call);
      throw error;
    }
  }

  /** Logs a status that cannot be written; the row stays without it. */
  async end(id: number, status: number): Promise<void> {
    await this.change(`/internal/audit_entries/${id}/status`, { status }, true);
  }

  /** Adds to the count of a refusal. A count that cannot be written is logged and lost. */
  async repeated(id: number, more: number): Promise<void> {
    await this.change(`/internal/operator_calls/${id}/repeats`, { more }, false);
  }

  /** An identity of the previous release has one form of row, and refuses unknown fields. */
  private async beginAtOlder(call: BeginOperatorCall): Promise<OperatorCallStarted> {
    const { method, path, request_id, status } = call;
    const body = { tenant: call.tenant ?? '', client_id: call.client_id ?? '', method, path, request_id };
    const { id } = await this.services.call('identity', {
      method: 'POST',
      path: '/internal/audit_entries',
      body,
      answer: auditStarted,
    });
    if (status !== null) await this.end(id, status);
    return { id, is_tenant_known: true };
  }

  private async change(path: string, body: object, retry: boolean): Promise<void> {
    try {
      await this.services.call('identity', { method: 'POST', path, body, answer: auditEnded, retry });
    } catch (error) {
      this.log.error('the record of an operator call could not be completed', error, { path, ...body });
    }
  }
}
