import type { Database } from '../db/database.ts';
import type { Log } from '../logging/log.ts';
import type { DueWork } from './due-work.ts';
import type { OutsideAnswer, OutsideCall } from './outside-call.ts';

const NOT_FOUND = { kind: 'not_found' } as const;
const UNKNOWN_THERE = { kind: 'unknown', why: 'not_found', detail: 'the gateway does not have it' } as const;

/** A row of an object that the order gateway works on: an order, a plan. */
interface GatewayObject {
  readonly tenant: string;
  readonly id: string;
  readonly state: string;
  /** Since when the gateway has given no usable answer about it. */
  readonly unanswered_since: Date | null;
}

/** The parts in which the objects of two services differ. */
interface Parts<Row, Facts> {
  /** The subject of a log line: `an order`. */
  readonly what: string;
  readonly log: Log;
  readonly database: Pick<Database, 'now'>;
  readonly find: (work: DueWork) => Promise<Row | null>;
  /** The name is for the log and the fault points. */
  readonly status: { readonly name: string; readonly call: (row: Row) => Promise<OutsideAnswer<Facts>> };
  /** Whether the gateway has received what follows the review: the submission, the registration. */
  readonly hasArrived: (facts: Facts) => boolean;
  /** Applies what the gateway reports, under the row's lock. Returns the row after it. */
  readonly learn: (tenant: string, id: string, facts: Facts) => Promise<Row | null>;
  readonly markUnanswered: (row: Row, now: Date) => Promise<void>;
  readonly countSince?: (since: Date) => Promise<number>;
}

type Call<Row, Facts> = OutsideCall<Row, Facts>;

/**
 * The calls about objects of the order gateway. Each makes its call first, then asks for the state after 5 s, 30 s, 5 min, 1 h and then
 * hourly (GATE-3), until the object has left the state that waits for the gateway. Our id is the idempotency key of every call.
 */
export class GatewayCalls<Row extends GatewayObject, Facts> {
  constructor(private readonly parts: Parts<Row, Facts>) {}

  /** A call for an object that waits for the gateway in this state. */
  callOf(
    waiting: Row['state'],
    more: Pick<Call<Row, Facts>, 'send'> & Partial<Call<Row, Facts>>,
  ): Call<Row, Facts> {
    const { find, status, learn, log, what, countSince } = this.parts;
    return {
      load: async (work) => {
        const row = await find(work);
        return row?.state === waiting ? row : null;
      },
      ask: status,
      apply: async ({ tenant, id }, facts) => {
        const after = await learn(tenant, id, facts);
        return after?.state === waiting ? 'unchanged' : 'done';
      },
      silence: {
        ...{ log, what, ...(countSince && { countSince }) },
        about: ({ tenant, id, state }) => ({ tenant, id, state }),
        record: (row) => this.recordSilence(row),
      },
      ...more,
    };
  }

  /** Asks whether a call has arrived. A gateway that has reviewed the object, and no more, has not received it. */
  askForArrival(): NonNullable<Call<Row, Facts>['ask']> {
    return this.asking(async (row) => {
      const answer = await this.parts.status.call(row);
      return answer.kind === 'yes' && !this.parts.hasArrived(answer.value) ? NOT_FOUND : answer;
    });
  }

  /**
   * Asks for the state of a submitted object until it ends; asks once about any object after a callback that was not understood. Only a
   * submitted object that the gateway does not have is sent again: any other has its own call.
   */
  callOfSubmitted(send: Call<Row, Facts>['send']): Call<Row, Facts> {
    const ask = this.asking(async (row) => {
      const answer = await this.parts.status.call(row);
      return answer.kind === 'not_found' && row.state !== 'submitted' ? UNKNOWN_THERE : answer;
    });
    return this.callOf('submitted', { load: this.parts.find, asksFirst: () => true, ask, send });
  }

  private asking(call: (row: Row) => Promise<OutsideAnswer<Facts>>): NonNullable<Call<Row, Facts>['ask']> {
    return { name: this.parts.status.name, call };
  }

  private async recordSilence(row: Row): Promise<{ readonly since: Date; readonly now: Date }> {
    const now = await this.parts.database.now();
    await this.parts.markUnanswered(row, now);
    return { since: row.unanswered_since ?? now, now };
  }
}
