import { ApiError, rupees } from '@fundrail/contracts';
import { defineTable, numeric, sql, text } from '@fundrail/persistence';
import { IllegalTransition } from '@fundrail/state-machines';
import { Body, Controller, Get, Module, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { z } from 'zod';
import { Database, serviceKitMigrations, type ServiceDefinition } from '../db.ts';
import {
  AcceptsForm,
  AnswersAsOAuth,
  CallerOf,
  Internal,
  listQuery,
  Public,
  RawBody,
  RequireScope,
  type Caller,
} from '../http.ts';

/** A service with one table, for the tests of the kit. It uses the parts of a real service in their smallest form. */
export const NOTES = defineTable('notes', {
  id: text().primary(),
  tenant: text(),
  amount: numeric(),
  words: text(),
});

class NotesTables1700000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE notes (id text PRIMARY KEY, tenant text NOT NULL, amount numeric(22,4) NOT NULL, words text NOT NULL)',
    );
    await runner.query('CREATE SEQUENCE note_ids');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('cannot be reverted'));
  }
}

const newNote = z
  .strictObject({
    words: z.string().min(1).max(50),
    amount: rupees,
    tags: z.array(z.strictObject({ name: z.string() })).optional(),
  })
  .meta({ id: 'NewNote' });
const note = z.strictObject({ id: z.string(), amount: z.unknown(), words: z.string() }).meta({ id: 'Note' });

const insertNote = sql(
  'notes.insert',
  'INSERT INTO notes (id, tenant, amount, words) VALUES ($1, $2, $3, $4)',
);
const nextId = sql('notes.next_id', `SELECT nextval('note_ids') AS id`);

type Interference = ((caller: Caller) => Promise<void>) | null;

/** Hooks of a test into a running request: before its transaction, and between the effect and its commit. */
export const interference: { beforeEffect: Interference; beforeCommit: Interference } = {
  beforeEffect: null,
  beforeCommit: null,
};

@Controller('v2/notes')
class NotesController {
  constructor(private readonly database: Database) {}

  @Post()
  @ApiResponse({ status: 200, description: 'The note', standardSchema: note })
  async create(@CallerOf() caller: Caller, @Body({ schema: newNote }) body: z.output<typeof newNote>) {
    const draw = async () => String((await this.database.query<{ id: number }>(nextId))[0]?.id);
    const id = caller.idempotency ? await caller.idempotency.reserve(draw) : await draw();
    await interference.beforeEffect?.(caller);
    return this.database.transaction(async (tx) => {
      await tx.query(insertNote, [id, caller.tenant, body.amount, body.words]);
      const made = { id, amount: body.amount, words: body.words };
      await caller.answer(tx, made);
      await interference.beforeCommit?.(caller);
      return made;
    });
  }

  @Get()
  find(@Query({ schema: listQuery({ words: z.string().optional() }) }) query: { limit: number }) {
    return query;
  }

  @Get('shielded')
  @RequireScope('admin')
  shielded(@CallerOf() caller: Caller) {
    return { tenant: caller.tenant, client_id: caller.client_id };
  }

  @Get(':id')
  one(@Param('id') id: string) {
    if (!/^\d+$/.test(id)) throw new ApiError('NOT_FOUND');
    return { id };
  }

  @Patch(':id')
  refuse(): never {
    throw new IllegalTransition('note', 'open', 'close', 'closed');
  }

  @Post(['sent', ':id/boom'])
  boom(@Body() body: unknown): never {
    throw new Error(`the secret of the machine, asked with ${typeof body}`);
  }
}

@Controller()
class OtherController {
  /** Has the method name of use cases but is not one: Nest's metadata of the route belongs to this function, so it must not be wrapped. */
  @Post('callbacks/notes')
  @Public()
  execute(@RawBody() raw: string) {
    return { raw };
  }

  @Post('forms')
  @Public()
  @AcceptsForm()
  form(@Body() body: unknown) {
    return body;
  }

  @Post('oauth_forms')
  @Public()
  @AcceptsForm()
  @AnswersAsOAuth()
  oauthForm(@Body() body: unknown) {
    return body;
  }

  @Get('internal/notes')
  @Internal()
  internal() {
    return { ok: true };
  }
}

@Module({ controllers: [NotesController, OtherController] })
class NotesModule {}

export const notesService: ServiceDefinition = {
  name: 'orders',
  module: NotesModule,
  config: null,
  migrations: [...serviceKitMigrations, NotesTables1700000000100],
  tables: [NOTES],
};
