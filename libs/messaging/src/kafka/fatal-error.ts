const MOST_CAUSES = 10;

/**
 * Says whether an error of kafkajs will come again however often one tries: a refused login, a group of another protocol, a
 * fault in the code. All that tells of a broker or a connection may pass.
 */
export function isFatal(error: Error): boolean {
  if (error.name === 'KafkaJSNumberOfRetriesExceeded') return false;
  return Reflect.get(rootOf(error), 'retriable') !== true;
}

/** kafkajs wraps what it gives up on in an error that is not retriable, and keeps the first as its cause. */
function rootOf(error: Error): Error {
  let root = error;
  for (let depth = 0; depth < MOST_CAUSES && root.cause instanceof Error; depth += 1) root = root.cause;
  return root;
}
