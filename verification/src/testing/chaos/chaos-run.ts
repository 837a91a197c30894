import { readAllEvents } from '@fundrail/messaging/testing';
import { waitFor } from '@fundrail/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { audit } from '../crash/audit.ts';
import { auditTrail, repeatsOf } from '../crash/event-audit.ts';
import { readInboxes, readOutboxes } from '../crash/event-trail.ts';
import type { Finding } from '../crash/finding.ts';
import { randomFrom } from '../crash/random.ts';
import type { ChaosReport } from './chaos-report.ts';
import type { ChaosStage } from './chaos-stage.ts';
import { planFaults, type PlannedFault } from './fault-plan.ts';
import { describeFault, causeFault } from './faults.ts';
import { Load } from './load.ts';
import { settle, whatIsOpen } from './settle.ts';

export interface ChaosOptions {
  readonly seed: number;
  /** How many faults, of all kinds. */
  readonly kills: number;
  /** Purchases under way at the same time. */
  readonly buyers: number;
  /** Receives a line for each fault and for the progress of the run. */
  readonly log: (line: string) => void;
}

const WARM_UP_LIMIT_MS = 180_000;
/** Work that waits an hour after its third call without an answer is retried after three minutes. */
const SPEED = 20;

/**
 * Runs purchases and faults at the same time, then waits until all work has ended, and audits. The seed repeats the faults, their
 * order and the pauses between them; what the processes do at that moment differs in each run.
 */
export async function runChaos(stage: ChaosStage, options: ChaosOptions): Promise<ChaosReport> {
  const { seed, kills, buyers, log } = options;
  // The load draws from a stream of its own, so that it does not change the faults.
  const load = new Load(() => stage.newBuyer(), randomFrom(seed + 1));
  load.start(buyers);
  await waitFor(() => load.ended >= buyers, {
    limitMs: WARM_UP_LIMIT_MS,
    what: 'the first purchases to end',
  });
  log(`${load.ended} purchases have ended without a fault`);
  stage.clock.goAt(SPEED);
  const unclean = await runFaults(stage, planOf(stage, seed, kills), log);
  log(`no more faults; ${load.ended} purchases have ended, ${load.walking.length} are under way`);
  await settle(load, stage.clock, stage.fleet.databases);
  const stuck = load.walking.map((name): Finding => ({
    kind: 'unfinished',
    what: `the walk "${name}" waits`,
  }));
  log(`quiet; ${load.ended} purchases have ended`);
  return reportOf(stage, options, [...unclean, ...load.failed, ...stuck]);
}

function planOf({ fleet }: ChaosStage, seed: number, count: number): PlannedFault[] {
  const [first = '', ...others] = fleet.replicas().map(({ name }) => name);
  return planFaults(count, [first, ...others], randomFrom(seed));
}

/** Faults may overlap; one waits only for an earlier one of the same target. Returns the processes that did not stop properly. */
async function runFaults(
  stage: ChaosStage,
  plan: readonly PlannedFault[],
  log: (line: string) => void,
): Promise<Finding[]> {
  const lastOf = new Map<string, Promise<Finding[]>>();
  const all: Promise<Finding[]>[] = [];
  for (const [index, fault] of plan.entries()) {
    await pause(fault.afterMs);
    await lastOf.get(fault.target);
    log(`fault ${index + 1}: ${describeFault(fault)}`);
    const over = causeFault(stage, fault).catch((error: unknown): Finding[] => [
      { kind: 'unfinished', what: `${describeFault(fault)}: ${String(error)}` },
    ]);
    lastOf.set(fault.target, over);
    all.push(over);
  }
  return (await Promise.all(all)).flat();
}

async function reportOf(
  stage: ChaosStage,
  { seed, kills }: ChaosOptions,
  before: readonly Finding[],
): Promise<ChaosReport> {
  const { fleet, kafka, receiver, buyers, kubelet } = stage;
  const { databases, kafkaPrefix: prefix } = fleet;
  const open = await whatIsOpen(databases);
  const found = await audit(databases, buyers, receiver);
  const [outbox, inboxes, log] = await Promise.all([
    readOutboxes(databases),
    readInboxes(databases),
    readAllEvents({ brokers: kafka.brokers, clientId: 'chaos-audit', prefix }),
  ]);
  const calls = receiver.received.map(({ webhook_id }) => webhook_id);
  const webhooks = new Set(calls).size;
  return {
    ...{ seed, kills, webhooks },
    requests: buyers.flatMap(({ client }) => client.accepted).length,
    events: outbox.length,
    repeatedOnKafka: repeatsOf(log),
    repeatedWebhooks: calls.length - webhooks,
    notLive: kubelet.notLive,
    crashed: kubelet.crashed,
    findings: [...before, ...open, ...found, ...auditTrail({ outbox, log, inboxes })],
  };
}
