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
import { describeFault, strike } from './faults.ts';
import { Load } from './load.ts';
import { settle, whatIsOpen } from './settle.ts';

export interface ChaosOptions {
  readonly seed: number;
  /** How many faults, of all kinds. */
  readonly kills: number;
  /** Purchases under way at the same time. */
  readonly buyers: number;
  /** Gets a line for each fault, and for what else there is to say. */
  readonly tell: (line: string) => void;
}

const WARM_UP_LIMIT_MS = 180_000;
/** What waits for an hour after its third call without an answer is back after three minutes. */
const SPEED = 20;

/**
 * Lets purchases run, and things go wrong meanwhile; then waits until all is quiet, and audits. The seed repeats what goes
 * wrong, in which order and how long after each other; what the processes are just doing then is never the same.
 */
export async function runChaos(stage: ChaosStage, options: ChaosOptions): Promise<ChaosReport> {
  const { seed, kills, buyers, tell } = options;
  // The load draws from a stream of its own, so that it does not change the faults.
  const load = new Load(() => stage.newBuyer(), randomFrom(seed + 1));
  load.start(buyers);
  await waitFor(() => load.ended >= buyers, {
    limitMs: WARM_UP_LIMIT_MS,
    what: 'the first purchases to end',
  });
  tell(`${load.ended} purchases have ended without a fault`);
  stage.clock.goAt(SPEED);
  const unclean = await letFaultsHappen(stage, planOf(stage, seed, kills), tell);
  tell(`no more faults; ${load.ended} purchases have ended, ${load.walking.length} are under way`);
  await settle(load, stage.clock, stage.fleet.databases);
  const stuck = load.walking.map((name): Finding => ({
    kind: 'unfinished',
    what: `the walk "${name}" waits`,
  }));
  tell(`quiet; ${load.ended} purchases have ended`);
  return reportOf(stage, options, [...unclean, ...load.failed, ...stuck]);
}

function planOf({ fleet }: ChaosStage, seed: number, count: number): PlannedFault[] {
  const [first = '', ...others] = fleet.replicas().map(({ name }) => name);
  return planFaults(count, [first, ...others], randomFrom(seed));
}

/** Faults overlap as they come; one waits only for an earlier one of the same target. Answers processes that did not stop well. */
async function letFaultsHappen(
  stage: ChaosStage,
  plan: readonly PlannedFault[],
  tell: (line: string) => void,
): Promise<Finding[]> {
  const lastOf = new Map<string, Promise<Finding[]>>();
  const all: Promise<Finding[]>[] = [];
  for (const [index, fault] of plan.entries()) {
    await pause(fault.afterMs);
    await lastOf.get(fault.target);
    tell(`fault ${index + 1}: ${describeFault(fault)}`);
    const struck = strike(stage, fault).catch((error: unknown): Finding[] => [
      { kind: 'unfinished', what: `${describeFault(fault)}: ${String(error)}` },
    ]);
    lastOf.set(fault.target, struck);
    all.push(struck);
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
  const found = await audit(databases, buyers, receiver, stage.clock.moves);
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
