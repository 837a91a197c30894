import { connect } from 'node:net';

/** Length 10, ApiVersions (key 18) in version 0, correlation id 7, no client id: what every broker answers first. */
const REQUEST = Buffer.from([0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 7, 255, 255]);
/** The answer's correlation id and its error code, after the four bytes of its length. */
const ANSWER = Buffer.from([0, 0, 0, 7, 0, 0]);
const LIMIT_MS = 2_000;

/**
 * Whether a Kafka broker answers there. A connection alone proves little: the port of a container accepts connections before
 * the program in it is up, and so does any other server.
 */
export function brokerAnswers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    let answer = Buffer.alloc(0);
    socket.setTimeout(LIMIT_MS, () => done(false));
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
    socket.once('connect', () => socket.write(REQUEST));
    socket.on('data', (chunk) => {
      answer = Buffer.concat([answer, chunk]);
      if (answer.length >= 10) done(answer.subarray(4, 10).equals(ANSWER));
    });
  });
}
