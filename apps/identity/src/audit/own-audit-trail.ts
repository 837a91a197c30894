import type { BeginAudit } from '@fundrail/contracts';
import { Clock, Database } from '@fundrail/service-kit/db';
import { AuditTrail } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { insertAuditEntry, setAuditStatus } from './audit.repository.ts';

/** The rows of identity's own admin calls. */
@Injectable()
export class OwnAuditTrail extends AuditTrail {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  begin(call: BeginAudit): Promise<number> {
    return insertAuditEntry(this.database, { at: this.clock.now(), ...call });
  }

  end(id: number, status: number): Promise<void> {
    return setAuditStatus(this.database, id, status);
  }
}
