import type { EventType } from '@fundrail/contracts';
import {
  defineTable,
  integer,
  nextOf,
  saveRows,
  sql,
  text,
  type RowOf,
  type Statement,
  type Tx,
} from '@fundrail/persistence';
import type { Decision } from '@fundrail/state-machines';
import { createTestDatabase, FakeClock, type TestDatabase } from '@fundrail/testing';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { notesService } from '../testing/notes.service.ts';
import { Aggregate, obsolete } from './aggregate.ts';
import { RecordedAggregate, type DueChange } from './recorded-aggregate.ts';
import { rowsOf } from './rows.ts';

const NOW = new Date('2026-12-21T10:00:00+05:30');
const LATER = new Date(NOW.getTime() + 60_000);
const EVENT: EventType = 'notification_webhook.test';

const TICKETS = defineTable('tickets', {
  id: integer().primary(),
  tenant: text(),
  reference: text().nullable(),
  state: text<'open' | 'claimed' | 'closed'>().bySteps(),
  event_seq: integer().bySteps(),
});
type Ticket = RowOf<typeof TICKETS>;

const DUE: Readonly<Record<string, readonly DueChange[]>> = {
  create: [{ kind: 'ticket.claim', due_at: NOW }],
  claim: [obsolete('ticket.claim'), { kind: 'ticket.close', due_at: LATER, attempts: 1 }],
  close: [obsolete('ticket.close')],
};

const TICKET = new Aggregate<Ticket>({
  rows: rowsOf(TICKETS, '(tenant, reference) WHERE reference IS NOT NULL'),
  history: {
    table: 'ticket_history',
    of: ({ row, from }) => ({ ticket_id: row.id, from_state: from, to_state: row.state }),
  },
  toDto: ({ id, state }) => ({ object: 'ticket', id, state }),
  due: (steps) => steps.flatMap(({ trigger }) => DUE[trigger] ?? []),
});

/** Tickets that are created and locked elsewhere and have no history. A step with a note is a fact. */
const NOTED = new RecordedAggregate<Ticket, Decision<Ticket> & { readonly note?: string }>({
  save: saveRows(TICKETS, 'id'),
  idOf: ({ id }) => `noted_${id}`,
  history: null,
  toDto: ({ id, state }, { note = null }) => ({ object: 'ticket', id, state, note }),
  isFact: ({ note }) => note !== undefined,
});
const traceparentOf = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;

/** The name of one statement that begins with this write. */
const together = (name: string): unknown => expect.stringMatching(`^${name}\\.with_[0-9a-f]{8}$`);

const stepped = (row: Ticket, trigger: string, state: Ticket['state']) => ({
  row: { ...row, state, event_seq: row.event_seq + 1 },
  trigger,
  from: row.state,
  events: [EVENT],
});
const createdAs = (id: number, reference: string | null = null) => ({
  row: { id, tenant: 'demo', reference, state: 'open', event_seq: 1 } satisfies Ticket,
  trigger: 'create',
  from: null,
  events: [EVENT],
});

describe('an aggregate', () => {
  let test: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    test = await createTestDatabase(notesService);
    const terms = { url: test.url, poolSize: 5, sandbox: true };
    database = await openDatabase(notesService, new FakeClock(NOW), terms);
    await database.dataSource.query(`
      CREATE TABLE tickets (id integer PRIMARY KEY, tenant text NOT NULL, reference text, state text NOT NULL, event_seq int NOT NULL);
      CREATE UNIQUE INDEX ON tickets (tenant, reference) WHERE reference IS NOT NULL;
      CREATE TABLE ticket_history (id bigint GENERATED ALWAYS AS IDENTITY, ticket_id integer NOT NULL REFERENCES tickets,
        tenant text NOT NULL, trigger text NOT NULL, from_state text, to_state text NOT NULL, event_seq int NOT NULL, at timestamptz NOT NULL);
      CREATE SEQUENCE ticket_ids START 7`);
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await test.drop();
  });

  const rows = <T>(statement: string, ...values: readonly unknown[]) =>
    database.dataSource.query<T[]>(statement, [...values]);
  const writtenFor = async (id: number) => ({
    ticket: await rows('SELECT state, event_seq FROM tickets WHERE id = $1', id),
    history: await rows(
      'SELECT trigger, from_state, to_state, event_seq, at FROM ticket_history WHERE ticket_id = $1 ORDER BY id',
      id,
    ),
    events: (
      await rows<{ sequence: number; data: string }>(
        'SELECT sequence, data FROM outbox WHERE aggregate_id = $1 ORDER BY id',
        String(id),
      )
    ).map(({ sequence, data }) => ({ sequence, ...(JSON.parse(data) as object) })),
    due: await rows('SELECT kind, tenant, due_at, attempts FROM due_work WHERE key = $1', String(id)),
  });
  const created = (id: number, reference: string | null = null) =>
    database.transaction((tx) => TICKET.create(tx, createdAs(id, reference)));
  /** The names of the statements that the work sends. */
  const statementsOf = async (work: (tx: Tx) => Promise<unknown>) => {
    const names: string[] = [];
    await database.transaction((tx) =>
      work({
        now: tx.now,
        signal: (signal) => {
          tx.signal(signal);
        },
        query: (statement: Statement, values) => {
          names.push(statement.name);
          return tx.query(statement, values);
        },
      }),
    );
    return names;
  };

  it('is created with its history, its event and its due work', async () => {
    expect(await created(1)).toBe(true);
    expect(await writtenFor(1)).toEqual({
      ticket: [{ state: 'open', event_seq: 1 }],
      history: [{ trigger: 'create', from_state: null, to_state: 'open', event_seq: 1, at: NOW }],
      events: [
        { sequence: 1, object: { object: 'ticket', id: 1, state: 'open' }, previous_attributes: null },
      ],
      due: [{ kind: 'ticket.claim', tenant: 'demo', due_at: NOW, attempts: 0 }],
    });
  });

  it('is not created, and nothing of it is written, when its unique reference is taken', async () => {
    await created(2, 'R');
    expect(await created(3, 'R')).toBe(false);
    expect(await writtenFor(3)).toEqual({ ticket: [], history: [], events: [], due: [] });
  });

  it('records several steps with one statement for each of their kinds, and no due work that a later step ends', async () => {
    await created(4);
    const names = await statementsOf(async (tx) => {
      const row = await TICKET.lock(tx, 'demo', 4);
      if (!row) throw new Error('there is no ticket');
      const claimed = stepped(row, 'claim', 'claimed');
      await TICKET.record(tx, row, claimed, stepped(claimed.row, 'close', 'closed'));
    });
    expect(names).toEqual(['tickets.lock', together('tickets.save')]);
    const { ticket, history, events, due } = await writtenFor(4);
    expect(ticket).toEqual([{ state: 'closed', event_seq: 3 }]);
    expect(history.slice(1)).toEqual([
      { trigger: 'claim', from_state: 'open', to_state: 'claimed', event_seq: 2, at: NOW },
      { trigger: 'close', from_state: 'claimed', to_state: 'closed', event_seq: 3, at: NOW },
    ]);
    expect(events.slice(1)).toMatchObject([
      { sequence: 2, object: { state: 'claimed' }, previous_attributes: { state: 'open' } },
      { sequence: 3, object: { state: 'closed' }, previous_attributes: { state: 'claimed' } },
    ]);
    expect(due).toEqual([]);
  });

  it('records the steps of several rows with the same statements', async () => {
    await created(5);
    await created(6);
    const names = await statementsOf(async (tx) => {
      const tickets = [createdAs(5).row, createdAs(6).row];
      await TICKET.recordAll(
        tx,
        tickets.map((before) => ({ before, steps: [stepped(before, 'claim', 'claimed')] })),
      );
    });
    expect(names).toEqual([together('tickets.save_all'), 'due_work.upsert_batch']);
    for (const id of [5, 6])
      expect(await writtenFor(id)).toMatchObject({
        ticket: [{ state: 'claimed', event_seq: 2 }],
        history: [{ trigger: 'create' }, { trigger: 'claim' }],
        events: [{ sequence: 1 }, { sequence: 2, previous_attributes: { state: 'open' } }],
        due: [{ kind: 'ticket.close', due_at: LATER, attempts: 1 }],
      });
  });

  it('records changes that have their own due work and trace, with one statement for the rows', async () => {
    await created(8);
    await created(9);
    const [eight, nine] = [createdAs(8).row, createdAs(9).row];
    const claimed = stepped(eight, 'claim', 'claimed');
    const names = await statementsOf((tx) =>
      NOTED.recordAll(tx, [
        {
          before: eight,
          steps: [claimed, { ...stepped(claimed.row, 'close', 'closed'), note: 'paid' }],
          due: [{ kind: 'noted.send', key: '8 1', due_at: LATER, attempts: 1 }],
          traceparent: traceparentOf('8'),
        },
        {
          before: nine,
          steps: [stepped(nine, 'close', 'closed')],
          due: [
            { kind: 'noted.send', key: '9 1', due_at: NOW },
            { ...obsolete('noted.send'), key: '9 1' },
            { kind: 'noted.count', due_at: NOW },
          ],
          traceparent: traceparentOf('9'),
        },
      ]),
    );
    expect(names).toEqual([together('tickets.save_all'), 'due_work.upsert_batch']);
    const appended = await rows<{ data: string }>(
      "SELECT aggregate_id, sequence, traceparent, data FROM outbox WHERE aggregate_id LIKE 'noted_%' ORDER BY id",
    );
    expect(
      appended.map(({ data, ...event }) => ({ ...event, ...(JSON.parse(data) as object) })),
    ).toMatchObject([
      {
        ...{ aggregate_id: 'noted_8', sequence: 2, traceparent: traceparentOf('8') },
        object: { state: 'claimed', note: null },
        previous_attributes: { state: 'open' },
      },
      {
        ...{ aggregate_id: 'noted_8', sequence: 3, traceparent: traceparentOf('8') },
        object: { state: 'closed', note: 'paid' },
        previous_attributes: null,
      },
      { aggregate_id: 'noted_9', sequence: 2, traceparent: traceparentOf('9') },
    ]);
    expect(
      await rows(
        "SELECT kind, key, tenant, due_at, attempts, traceparent FROM due_work WHERE kind LIKE 'noted.%' ORDER BY key",
      ),
    ).toEqual([
      {
        ...{ kind: 'noted.send', key: '8 1', tenant: 'demo', due_at: LATER, attempts: 1 },
        traceparent: traceparentOf('8'),
      },
      {
        ...{ kind: 'noted.count', key: 'noted_9', tenant: 'demo', due_at: NOW, attempts: 0 },
        traceparent: traceparentOf('9'),
      },
    ]);
    for (const id of [8, 9])
      expect(await writtenFor(id)).toMatchObject({
        ticket: [{ state: 'closed' }],
        history: [{ trigger: 'create' }],
      });
  });

  it('records a row that no step changed, and due work alone', async () => {
    await created(10);
    const before = createdAs(10).row;
    const noted = (change: object) =>
      statementsOf((tx) => NOTED.recordAll(tx, [{ before, steps: [], ...change }]));
    expect(await noted({ after: { ...before, state: 'claimed' } })).toEqual(['tickets.save_all']);
    expect(await noted({ due: [{ kind: 'ticket.ask', key: '10', due_at: NOW }] })).toEqual([
      'due_work.upsert_batch',
    ]);
    expect(await noted({ due: [] })).toEqual([]);
    expect((await writtenFor(10)).ticket).toEqual([{ state: 'claimed', event_seq: 1 }]);
  });

  it('writes nothing for no steps', async () => {
    expect(await statementsOf((tx) => TICKET.record(tx, createdAs(1).row))).toEqual([]);
  });

  it("does not lock another tenant's row", async () => {
    expect(await database.transaction((tx) => TICKET.lock(tx, 'other', 1))).toBeNull();
    expect(await database.transaction((tx) => TICKET.lock(tx, 'demo', 1))).toEqual(createdAs(1).row);
  });

  it('may draw its number from a sequence', async () => {
    const draw = nextOf('ticket_ids');
    expect([await draw(database), await draw(database)]).toEqual([7, 8]);
    expect(await database.query(sql('test.last', 'SELECT last_value AS last FROM ticket_ids'))).toEqual([
      { last: 8 },
    ]);
  });
});
