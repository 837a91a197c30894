import { found, istInstant, type ErasedTable, type PersonIds } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, scheduleDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { apply, erasureMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { investorProfiles } from '../investor-profile/investor-profile.repository.ts';
import { erasures, type ErasureRow } from './erasure.table.ts';
import { LookAtPerson } from './look-at-person.ts';
import { OwnPersonalData } from './own-personal-data.ts';
import { PersonElsewhere, STORING } from './person-elsewhere.ts';
import { BOOKS } from './retention.ts';

/** The kind of due work whose key is the erasure's id. */
export const ERASE = 'investor.erase';
/** From the moment at which an investor is no longer served to the erasure: every request that was being served has ended by then. */
const SETTLE_MS = 60_000;

/**
 * Erases a person on the day on which nothing keeps its data: first in the other services, at the end here, so that a crash or a
 * service that does not answer repeats what is missing. What was erased is stored service by service (INV-17, INV-18).
 */
@Injectable()
@HandlesDue(ERASE)
export class RunErasure {
  constructor(
    private readonly database: Database,
    private readonly look: LookAtPerson,
    private readonly own: OwnPersonalData,
    private readonly elsewhere: PersonElsewhere,
  ) {}

  async handle({ key: id, tenant }: DueWork): Promise<DueResult> {
    const row = await erasures.find(this.database, { tenant, id });
    if (!row || row.state === 'done') return 'done';
    const now = await this.database.now();
    const profile = found(await investorProfiles.find(this.database, { tenant, id: row.profile }));
    const { person, ...retention } = await this.look.at(now, profile);
    if (row.erased.length === 0) {
      const due = istInstant(retention.due_on);
      if (now < due) return this.postponed(row, retention, due);
      if (row.state === 'scheduled') return this.begun(row, new Date(now.getTime() + SETTLE_MS));
    }
    return this.erased(row, person);
  }

  private async postponed(
    row: ErasureRow,
    retention: Pick<ErasureRow, 'due_on' | 'kept'>,
    due: Date,
  ): Promise<DueResult> {
    await this.step(row, { erasure: null, due_at: due }, (locked) => ({
      ...retention,
      state: apply(erasureMachine, locked.state, 'postpone'),
    }));
    return { again: due };
  }

  /** The investor is no longer served, and is erased after that. */
  private async begun(row: ErasureRow, due_at: Date): Promise<DueResult> {
    await this.step(row, { erasure: 'running', due_at }, (locked) => ({
      state: apply(erasureMachine, locked.state, 'run'),
    }));
    await passFaultPoint('identity.erasure.running');
    return { again: due_at };
  }

  private async erased(row: ErasureRow, person: PersonIds): Promise<DueResult> {
    for (const service of STORING) {
      if (row.erased.some((one) => one.service === service)) continue;
      const tables = await this.elsewhere.erase(service, person);
      // Something is going on there, such as a webhook that is still sent.
      if (!tables) return 'later';
      await passFaultPoint('identity.erasure.service_erased');
      await this.noted(
        row,
        tables.map((table) => ({ service, ...table })),
      );
    }
    await passFaultPoint('identity.erasure.before_done');
    await this.finished(row);
    return 'done';
  }

  /** Adds a service's part of the proof, once. */
  private noted({ tenant, id }: ErasureRow, part: readonly ErasedTable[]): Promise<void> {
    return this.database.transaction(async (tx) => {
      const row = found(await erasures.lock(tx, { tenant, id }));
      if (row.erased.some(({ service }) => service === part[0]?.service)) return;
      await erasures.save(tx, { ...row, erased: [...row.erased, ...part] });
    });
  }

  private finished({ tenant, id, profile }: ErasureRow): Promise<void> {
    return this.database.transaction(async (tx) => {
      const row = found(await erasures.lock(tx, { tenant, id }));
      if (row.state === 'done') return;
      const state = apply(erasureMachine, row.state, 'finish');
      const own = await this.own.erase(tx, found(await investorProfiles.lock(tx, { tenant, id: profile })));
      const erased = [...row.erased, ...own];
      await erasures.save(tx, { ...row, state, erased, kept: [BOOKS], done_at: tx.now });
    });
  }

  /**
   * Changes the erasure, whether its investor is served and when it is looked at again, unless another process has done so meanwhile. In one
   * transaction: a crash may not shorten the minute.
   */
  private step(
    { tenant, id, state, profile }: ErasureRow,
    { erasure, due_at }: { readonly erasure: 'running' | null; readonly due_at: Date },
    changes: (locked: ErasureRow) => Partial<ErasureRow>,
  ): Promise<void> {
    return this.database.transaction(async (tx) => {
      const row = found(await erasures.lock(tx, { tenant, id }));
      if (row.state !== state || row.erased.length > 0) return;
      await erasures.save(tx, { ...row, ...changes(row) });
      await investorProfiles.update(tx, { tenant, id: profile }, { erasure });
      await scheduleDue(tx, { kind: ERASE, key: id, tenant, due_at });
    });
  }
}
