import { ApiError } from '@fundrail/contracts';
import { Clock, Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { insertAuditEntry, setAuditStatus } from '../audit/audit.repository.ts';

/** The scope for reading full account numbers (AUTH-16). `admin` does not include it. */
const REVEAL_SCOPE = 'bank_accounts:reveal';

export function mayReveal({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes.includes(REVEAL_SCOPE);
}

/** A call of a tenant that is recorded. `path` has no personal data. */
interface RecordedCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

/** Writes an audit row for each answer with full account numbers, and for each export and erasure of an investor. */
@Injectable()
export class RevealAudit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the result of `look`. The row is written first, so a number that cannot be audited is not shown. `status` is that of success.
   */
  async around<T>(caller: Caller, call: RecordedCall, look: () => Promise<T>, status = 200): Promise<T> {
    const id = await this.begin(caller, call);
    try {
      const shown = await look();
      await setAuditStatus(this.database, id, status);
      return shown;
    } catch (error) {
      await setAuditStatus(this.database, id, error instanceof ApiError ? error.status : 500);
      throw error;
    }
  }

  private begin(
    { tenant, client_tenant, client_id, request_id }: Caller,
    { method, path }: RecordedCall,
  ): Promise<number> {
    const call = { tenant: client_tenant, client_id, acted_in: tenant, method, path, request_id };
    return insertAuditEntry(this.database, { ...call, at: this.clock.now(), status: null });
  }
}
