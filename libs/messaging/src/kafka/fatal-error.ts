const MOST_CAUSES = 10;

/**
 * Whether an error of kafkajs is permanent: a refused login, a group of another protocol, a fault in the code. Errors of a
 * broker or a connection may pass.
 */
export function isFatal(error: Error): boolean {
  if (error.name === 'KafkaJSNumberOfRetriesExceeded') return false;
  return Reflect.get(rootOf(error), 'retriable') !== true;
}

/** When kafkajs gives up, it wraps the error in one that is not retriable, and keeps the first as its cause. */
function rootOf(error: Error): Error {
  let root = error;
  for (let depth = 0; depth < MOST_CAUSES && root.cause instanceof Error; depth += 1) {
    // Ours, such as a missing file of TLS: its cause is an error of Node, which does not say whether it may pass.
    if (Reflect.get(root, 'retriable') === true) break;
    root = root.cause;
  }
  return root;
}
