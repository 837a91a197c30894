import { ApiError, ValidationFailed } from '@fundrail/contracts';
import { brokenConstraint, Database, isKeyTakenOver } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import type { Holding } from './claims.ts';
import { PaymentIds } from './payment-ids.ts';
import { findPayment } from './payment.repository.ts';
import type { Payment } from './payment.ts';

/** What a payment of one kind claims in other services, and how it is stored and answered. */
interface Opening<Given, Opened> {
  /** What the id may hold in other services. */
  readonly held: Holding;
  readonly claim: () => Promise<Given>;
  /** A claim that is refused (an `ApiError` below 500) holds nothing. Whether its id is given up nevertheless, because it is stored. */
  readonly isIdStored?: boolean;
  /** Stores everything in one commit. Returns the answer. */
  readonly store: (given: Given) => Promise<Opened>;
}

/** The same for a creation that a client requested, under an id that is drawn for it. */
interface RequestedOpening<Given, Opened> {
  readonly held: Omit<Holding, 'id'>;
  readonly claim: (id: number) => Promise<Given>;
  readonly store: (given: Given, id: number) => Promise<Opened>;
  /** Continues with the payment of an earlier request with the same key, which died before its answer. */
  readonly resume: (earlier: Payment) => Promise<Opened>;
}

/** Opens a payment under a new id: claims what it pays for, stores it, and gives the id up when a step fails (CLAIM-1 to CLAIM-7). */
@Injectable()
export class OpenPayment {
  constructor(
    private readonly ids: PaymentIds,
    private readonly database: Database,
  ) {}

  /** For a client, under the id of its Idempotency-Key. Throws as `execute`. */
  async forCaller<Given, Opened>(
    caller: Caller,
    { held, claim, store, resume }: RequestedOpening<Given, Opened>,
  ): Promise<Opened> {
    const { id, isNew } = await this.ids.drawFor(caller);
    const earlier = isNew ? null : await findPayment(this.database, caller.tenant, id);
    if (earlier) return resume(earlier);
    return this.execute({
      held: { ...held, id },
      claim: () => claim(id),
      store: (given: Given) => store(given, id),
    });
  }

  /**
   * Throws what `claim` and `store` throw, 503 when the id is void or has a payment already, 400 and 409 when a constraint of the
   * database refuses the payment.
   */
  async execute<Given, Opened>(opening: Opening<Given, Opened>): Promise<Opened> {
    const { held, claim, store, isIdStored = false } = opening;
    await passFaultPoint('payments.id_drawn');
    const given = await this.orGiveUp(held, claim, isIdStored ? isNotOurs : isRefusal);
    await passFaultPoint('payments.claimed');
    return this.orGiveUp(held, () => store(given), isNotOurs);
  }

  private async orGiveUp<T>(
    held: Holding,
    act: () => Promise<T>,
    holdsNothing: (error: unknown) => boolean,
  ): Promise<T> {
    try {
      return await act();
    } catch (failure) {
      const error = refusalOf(failure);
      if (!holdsNothing(error)) await this.ids.giveUp(held);
      throw error;
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}

/** The id is void or has a payment already: this request must not release its claim. */
class IdTaken extends ApiError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'The request took too long and was cancelled; send it again', [], 1);
  }
}

/** Whether what the id holds belongs to another request now. */
function isNotOurs(error: unknown): boolean {
  return isKeyTakenOver(error) || error instanceof IdTaken;
}

/** The constraints that show why a creation was refused. */
const ID_TAKEN = 'payment_ids_pkey';
const SOURCE_REF_TAKEN = 'payments_source_ref';
const ORDER_TAKEN = 'payment_orders_one_live';

/** Turns a broken constraint of the database into the error for the client. */
function refusalOf(error: unknown): unknown {
  switch (brokenConstraint(error)) {
    case ID_TAKEN:
      return new IdTaken();
    case SOURCE_REF_TAKEN:
      return new ValidationFailed([{ field: 'source_ref_id', message: 'should be unique' }]);
    case ORDER_TAKEN:
      return new ApiError('PAYMENT_ALREADY_EXISTS');
    default:
      return error;
  }
}
