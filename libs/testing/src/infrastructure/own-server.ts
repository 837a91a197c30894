import type { StartedTestContainer } from 'testcontainers';
import { waitFor } from '../wait-for.ts';

/** A server that a test may stop and start again. Its address and its data stay the same. */
export interface OwnServer {
  /** Where it runs, for messages. */
  readonly origin: string;
  /** Shuts it down: all data is on the disk, and clients are notified. */
  stop(): Promise<void>;
  /** Ends it like a crash. */
  kill(): Promise<void>;
  /** Resolves when the server answers. */
  start(): Promise<void>;
  /** `stop`, then `start`. */
  restart(): Promise<void>;
  /** Makes it hang: connections stay open, and nothing answers. */
  pause(): Promise<void>;
  /** Lets it continue after `pause`. */
  resume(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

/** Enough for Kafka to write its last segments, and for PostgreSQL to write its checkpoint. */
const STOP_LIMIT_S = 20;

/** Such a server in a container. The caller has chosen the port of the host, so it stays the same over a restart. */
export async function ownContainer(
  started: StartedTestContainer,
  untilItAnswers: () => Promise<void>,
): Promise<OwnServer> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  const container = (await getContainerRuntimeClient()).container.getById(started.getId());
  const stop = async () => void (await container.stop({ t: STOP_LIMIT_S }));
  const start = async () => {
    await container.start();
    await untilItAnswers();
  };
  await untilItAnswers();
  return {
    origin: 'testcontainers',
    stop,
    start,
    kill: async () => void (await Promise.all([container.wait(), container.kill()])),
    restart: () => stop().then(start),
    pause: () => paused(container),
    resume: async () => void (await container.unpause()),
    remove: async () => void (await container.remove({ force: true, v: true })),
  };
}

/**
 * Pauses a container. The engine gives up when a process of the container does not stop in time, such as one that waits for the disk,
 * and lets all of them continue: so it is tried again. Throws when it has not paused within a minute.
 */
export async function paused(container: { pause(): Promise<unknown> }): Promise<void> {
  await waitFor(() => container.pause().then(() => true), { what: 'the engine to pause a container' });
}

/** A PostgreSQL for one suite, which the suite may stop. */
export interface OwnPostgres extends OwnServer {
  /** Superuser URL of the database `postgres`. */
  readonly url: string;
}
