import { ApiError, ValidationFailed } from '@fundrail/contracts';
import type {
  AdmitDebit,
  AuthorisationResult,
  BeginAuthorisation,
  Claim,
  ClaimResult,
  DebitResult,
  MandateFacts,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { OrderClaims } from '../outside/claims-client.ts';
import { Mandates } from '../outside/mandates-client.ts';
import { holdersOf } from './payment-id.repository.ts';
import type { PaymentRow } from './payment.tables.ts';
import { holdsNothing } from './payment.ts';

/** Retry-After in seconds while mandates confirms the mandate's state with the provider; it asks immediately. */
const IN_DOUBT_S = 5;

/** The first call, and two more when dead payments hold what is claimed: each call replaces the holders that the last one found. */
const TRIES = 3;

export type Claimed = Extract<ClaimResult, { outcome: 'claimed' }>;
type Begun = Extract<AuthorisationResult, { outcome: 'begun' }>;
/** The admission of a debit, with its expected day. */
type Admitted = Extract<DebitResult, { outcome: 'admitted' }>;
type Granted = Claimed | Begun | Admitted;
/** Refused, or nothing is decided while the mandate is in doubt. */
type Denied = Exclude<ClaimResult | AuthorisationResult | DebitResult, Granted>;
type Refused = Exclude<Denied, { outcome: 'later' }>;

/** The fields that identify what a payment, created or not, may hold in other services. */
export type Holding = Pick<PaymentRow, 'id' | 'tenant' | 'payment_type' | 'mandate_id'>;

/**
 * What a payment claims in other services before it is created, and releases when it is dead: its orders, a mandate's running
 * authorisation, a debit's admission. A claim takes over what dead or void payments still hold, so that a client can retry as soon as it is
 * notified of a failure (CLAIM-6). Each claim throws `ApiError` with the code of the refusal, and SERVICE_UNAVAILABLE when there was no
 * answer: it may exist then.
 */
@Injectable()
export class Claims {
  constructor(
    private readonly claims: OrderClaims,
    private readonly mandates: Mandates,
    private readonly database: Database,
  ) {}

  /** Claims the orders for a payment, all or none. */
  orders(asked: Omit<Claim, 'replaces'>): Promise<Claimed> {
    return this.granted<Claimed>((replaces) => this.claims.claim({ ...asked, replaces }));
  }

  /** The mandate that a request names, before anything is claimed. Throws `ValidationFailed` on its field when the tenant has none. */
  async mandate(tenant: string, mandate_id: number): Promise<MandateFacts> {
    const mandate = await this.mandates.find(tenant, mandate_id);
    if (mandate) return mandate;
    throw new ValidationFailed([{ field: 'mandate_id', message: 'is not a mandate of this tenant' }]);
  }

  async authorisation(asked: Omit<BeginAuthorisation, 'replaces'>): Promise<MandateFacts> {
    return (await this.granted<Begun>((replaces) => this.mandates.begin({ ...asked, replaces }))).mandate;
  }

  debit(asked: Omit<AdmitDebit, 'replaces'>): Promise<Admitted> {
    return this.granted<Admitted>((replaces) => this.mandates.admit({ ...asked, replaces }));
  }

  /** Releases everything that this dead payment holds. Rejects when there is no answer. */
  release(held: Holding): Promise<void> {
    return this.giveUp(held, () => this.claims.release(held.tenant, held.id));
  }

  /** Releases everything that a void id holds; no order names it afterwards. */
  releaseVoid(held: Holding): Promise<void> {
    return this.giveUp(held, () => this.claims.releaseVoid(held.tenant, held.id));
  }

  private async granted<A extends Granted>(call: (replaces: number[]) => Promise<A | Denied>): Promise<A> {
    const replaces = new Set<number>();
    for (let attempt = 1; ; attempt += 1) {
      const result = await call([...replaces]);
      if (!isDenied(result)) return result;
      if (result.outcome === 'later') throw inDoubt();
      const holders = holdersIn(result);
      if (attempt === TRIES || !(await this.areDead(holders)))
        throw new ApiError(result.code, result.message, result.errors);
      for (const id of holders) replaces.add(id);
    }
  }

  /** Whether there are holders, and all of them are known to be dead. */
  private async areDead(holders: readonly number[]): Promise<boolean> {
    if (holders.length === 0) return false;
    const dead = (await holdersOf(this.database, holders)).filter(holdsNothing);
    return dead.length === new Set(holders).size;
  }

  private async giveUp(
    { id: payment_id, tenant, payment_type, mandate_id }: Holding,
    freeOrders: () => Promise<void>,
  ): Promise<void> {
    switch (payment_type) {
      case 'NETBANKING':
        return freeOrders();
      case 'AUTH_TRANSACTION':
        if (mandate_id !== null) await this.mandates.releaseAuthorisation({ tenant, mandate_id, payment_id });
        return;
      case 'NACH':
        await this.mandates.releaseDebit({ tenant, payment_id });
        return freeOrders();
      default:
        return payment_type satisfies never;
    }
  }
}

function isDenied(result: Granted | Denied): result is Denied {
  return result.outcome === 'refused' || result.outcome === 'later';
}

/** The payments that hold what was claimed, if that is the reason of the refusal. */
function holdersIn(refused: Refused): readonly number[] {
  if ('claimed_by' in refused) return refused.code === 'PAYMENT_ALREADY_EXISTS' ? refused.claimed_by : [];
  return refused.held_by === null ? [] : [refused.held_by];
}

/** 503, so that clients and plans retry; they would take a 409 for the mandate's end. */
function inDoubt(): ApiError {
  const message = 'The mandate is being confirmed with its provider; try again in a few seconds';
  return new ApiError('SERVICE_UNAVAILABLE', message, [], IN_DOUBT_S);
}
