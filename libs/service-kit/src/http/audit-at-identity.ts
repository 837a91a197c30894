import { auditBegun, auditEnded, type BeginAudit } from '@fundrail/contracts';
import { Injectable, type Provider } from '@nestjs/common';
import { Log } from '../logging/log.ts';
import { AuditInterceptor, AuditTrail } from './audit.interceptor.ts';
import { ServiceClient } from './client/service-client.ts';

/** Has identity write the rows. A status that cannot be told is logged: the row stays without one. */
@Injectable()
export class AuditAtIdentity extends AuditTrail {
  constructor(
    private readonly services: ServiceClient,
    private readonly log: Log,
  ) {
    super();
  }

  async begin(call: BeginAudit): Promise<number> {
    const { id } = await this.services.call('identity', {
      method: 'POST',
      path: '/internal/audit_entries',
      body: call,
      answer: auditBegun,
    });
    return id;
  }

  async end(id: number, status: number): Promise<void> {
    try {
      await this.services.call('identity', {
        method: 'POST',
        path: `/internal/audit_entries/${id}/status`,
        body: { status },
        answer: auditEnded,
        retry: true,
      });
    } catch (error) {
      this.log.error('the status of an admin call could not be told', error, { audit_entry: id, status });
    }
  }
}

/** What a service whose admin routes use the `AuditInterceptor` provides, unless it is identity. */
export const auditedAtIdentity: readonly Provider[] = [
  AuditInterceptor,
  { provide: AuditTrail, useClass: AuditAtIdentity },
];
