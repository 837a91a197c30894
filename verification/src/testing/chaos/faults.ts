import type { OwnServer } from '@fundrail/testing';
import { setTimeout as pause } from 'node:timers/promises';
import type { Finding } from '../crash/finding.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { FaultKind, PlannedFault } from './fault-plan.ts';

/** The targets of faults. */
interface FaultStage {
  readonly fleet: Fleet;
  readonly postgres: OwnServer;
  readonly kafka: OwnServer;
}

/** Slow enough to affect every call, fast enough for some to be answered within their limit of 2 to 5 s. */
const DELAY_MS = 700;

const WORDS: Readonly<Record<FaultKind, string>> = {
  kill: 'kill -9',
  pause: 'SIGSTOP',
  terminate: 'SIGTERM',
  broker_restart: 'Kafka is shut down',
  broker_crash: 'Kafka crashes and is down',
  database_restart: 'PostgreSQL is shut down',
  database_crash: 'PostgreSQL crashes and is down',
  provider_cut: 'the provider is cut off',
  provider_delay: 'the provider is slow',
};
const OF_PROCESSES: ReadonlySet<FaultKind> = new Set(['kill', 'pause', 'terminate']);
const INSTANTS: ReadonlySet<FaultKind> = new Set(['kill', 'terminate']);

/** The line of the report about a fault. */
export function describeFault({ kind, target, forMs }: PlannedFault): string {
  const what = OF_PROCESSES.has(kind) ? `${WORDS[kind]} ${target}` : WORDS[kind];
  return INSTANTS.has(kind) ? what : `${what} for ${(forMs / 1_000).toFixed(1)} s`;
}

/** Causes a fault, and resolves when it is over. A process that the kubelet restarts may not run again yet. */
export function causeFault(stage: FaultStage, fault: PlannedFault): Promise<Finding[]> {
  return STRIKES[fault.kind](stage, fault);
}

type Strike = (stage: FaultStage, fault: PlannedFault) => Promise<Finding[]>;

const STRIKES: Readonly<Record<FaultKind, Strike>> = {
  kill: async (stage, { target }) => {
    await replicaOf(stage, target).kill();
    return [];
  },
  pause: async (stage, { target, forMs }) => {
    const replica = replicaOf(stage, target);
    replica.pause();
    await pause(forMs);
    replica.resume();
    return [];
  },
  terminate: async (stage, { target }) => {
    const replica = replicaOf(stage, target);
    const isServing = replica.url !== null;
    const exit = await replica.stop();
    // A process that is still starting has nothing to finish, and dies of the signal.
    if (!isServing || !exit || exit.code === 0) return [];
    return [{ kind: 'unfinished', what: `${target} ended with ${exit.code} after SIGTERM` }];
  },
  broker_restart: ({ kafka }, { forMs }) => takeDown(kafka, () => kafka.stop(), forMs),
  broker_crash: ({ kafka }, { forMs }) => takeDown(kafka, () => kafka.kill(), forMs),
  database_restart: ({ postgres }, { forMs }) => takeDown(postgres, () => postgres.stop(), forMs),
  database_crash: ({ postgres }, { forMs }) => takeDown(postgres, () => postgres.kill(), forMs),
  provider_cut: ({ fleet }, { forMs }) => disturbProvider(fleet, 'cut', forMs),
  provider_delay: ({ fleet }, { forMs }) => disturbProvider(fleet, DELAY_MS, forMs),
};

/** On a busy machine a server that does not answer in time may still start. */
const STARTS_TRIED = 3;

async function takeDown(server: OwnServer, end: () => Promise<void>, forMs: number): Promise<Finding[]> {
  await end();
  await pause(forMs);
  for (let tries = 1; ; tries += 1) {
    try {
      await server.start();
      return [];
    } catch (error) {
      if (tries === STARTS_TRIED) throw error;
    }
  }
}

async function disturbProvider(fleet: Fleet, state: 'cut' | number, forMs: number): Promise<Finding[]> {
  fleet.provider?.set(state);
  await pause(forMs);
  fleet.provider?.set('steady');
  return [];
}

function replicaOf({ fleet }: FaultStage, target: string) {
  const found = fleet.replicas().find(({ name }) => name === target);
  if (!found) throw new Error(`there is no ${target}`);
  return found;
}
