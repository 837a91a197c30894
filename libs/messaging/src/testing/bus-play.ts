import type { EventEnvelope } from '@fundrail/contracts';
import { Logger } from '@nestjs/common';
import type { EventBus, PublishOutcome } from '../event-bus.port.ts';
import { Stage, type StageGroup } from './bus-stage.ts';
import { noticeEnvelope } from './notices.ts';

/** The bus of one test. */
interface BusUnderTest {
  readonly bus: EventBus;
  /** Ends the bus's own connections; the groups are stopped before. */
  close(): Promise<void>;
}

/** Creates a bus for a process with these consumer groups, which have not subscribed yet. */
export type CreateBus = (groups: readonly string[]) => Promise<BusUnderTest>;

/** A suite's stage, and the bus and groups of the running test. */
export class Play {
  #stage: Stage | null = null;
  #underTest: BusUnderTest | null = null;

  constructor(private readonly createBus: CreateBus) {}

  async open(): Promise<void> {
    Logger.overrideLogger(false);
    this.#stage = await Stage.open();
  }

  /** Creates the bus for `count` groups. */
  async begin<N extends 1 | 2>(
    count: N,
  ): Promise<{ bus: EventBus; stage: Stage; groups: StageGroup[]; first: StageGroup }> {
    const stage = this.#open();
    const first = stage.group();
    const groups = [first, ...Array.from({ length: count - 1 }, () => stage.group())];
    this.#underTest = await this.createBus(groups.map((group) => group.name));
    return { bus: this.#underTest.bus, stage, groups, first };
  }

  async clear(): Promise<void> {
    await this.#stage?.stopGroups();
    await this.#underTest?.close();
    this.#underTest = null;
  }

  async close(): Promise<void> {
    await this.#stage?.close();
    Logger.overrideLogger(['error', 'warn']);
  }

  #open(): Stage {
    if (!this.#stage) throw new Error('the stage is not open');
    return this.#stage;
  }
}

/** Waits for the outcomes: whether each event was published. */
export async function published(outcomes: readonly Promise<PublishOutcome>[]): Promise<boolean[]> {
  return (await Promise.all(outcomes)).map((outcome) => outcome.published);
}

/** The first events of an aggregate. */
export function events(aggregate: string, count: number): EventEnvelope[] {
  return Array.from({ length: count }, (_, index) => noticeEnvelope(aggregate, index + 1));
}
