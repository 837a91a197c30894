import type { Tx } from '@fundrail/persistence';
import type { VerifiedToken } from './auth/access-tokens.ts';
import type { Caller } from './caller.ts';
import type { HeldKey } from './idempotency/held-key.ts';

/** The caller of one request. The key is set once it is held. */
export class RequestCaller implements Caller {
  idempotency: HeldKey | null = null;

  constructor(
    readonly tenant: string,
    private readonly token: VerifiedToken,
    readonly request_id: string,
  ) {}

  get client_tenant(): string {
    return this.token.tenant;
  }

  get client_id(): string {
    return this.token.client_id;
  }

  get compatibility() {
    return this.token.compatibility;
  }

  get scopes(): readonly string[] {
    return this.token.scopes;
  }

  async answer<T>(tx: Tx, body: T, status = 200, kept: unknown = body): Promise<T> {
    await this.idempotency?.complete(tx, kept, status);
    return body;
  }
}
