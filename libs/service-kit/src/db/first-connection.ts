/** Together 15 s, because a start beside six others on one processor, or a server that has just started, is slow and not broken. */
const ATTEMPTS = 3;

/**
 * Opens the first connection of a start. An attempt that times out is repeated, three attempts in all, because no request waits for
 * a starting service. Rejects with the last timeout, and immediately with any other error.
 */
export async function openFirstConnection(connect: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await connect();
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !isLateConnection(error)) throw error;
    }
  }
}

/** Whether a connection timed out because the server or this process was slow; false when it was refused. */
export function isLateConnection(error: unknown): boolean {
  return error instanceof Error && /timeout expired|connection timeout/i.test(error.message);
}
