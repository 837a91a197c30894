import { auditBegun, auditEnded, type BeginAudit } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { AuditTrail, ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

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
