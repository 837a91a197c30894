import type { StartedTestContainer } from 'testcontainers';

/** A server that a test may take away and give back. Its address and all that it holds stay the same. */
export interface OwnServer {
  /** Where it runs, for people. */
  readonly origin: string;
  /** Ends it in order: what is written is on the disk, clients are told. */
  stop(): Promise<void>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  /** Answers when the server does. */
  start(): Promise<void>;
  /** `stop`, then `start`. */
  restart(): Promise<void>;
  /** It hangs: connections stay open, and nothing answers. */
  pause(): Promise<void>;
  /** It goes on where it was paused. */
  resume(): Promise<void>;
  /** Ends it for good, with its data. */
  remove(): Promise<void>;
}

/** Kafka writes its last segments, and PostgreSQL its checkpoint, in less. */
const STOP_LIMIT_S = 20;

/** Such a server in a container. The port of its host is chosen beforehand, and so stays the same over a restart. */
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
    pause: async () => void (await container.pause()),
    resume: async () => void (await container.unpause()),
    remove: async () => void (await container.remove({ force: true, v: true })),
  };
}
