import { connect, type Socket } from 'node:net';

/** A request that keeps its place with the server until it is finished. */
export interface HalfARequest {
  /** What came back until now. */
  answer(): string;
  /** Sends the rest, and answers the answer. */
  finish(): Promise<string>;
}

/** A POST with an empty object for its body, of which all but the last byte is there. */
export function halfARequest(url: string, path: string, token: string): HalfARequest {
  const { hostname, port, host } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  const { promise, resolve } = Promise.withResolvers<void>();
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  // A connection that is reset has no more to say: what came before is its answer, and without a listener the test run would end.
  socket.on('error', () => undefined).on('close', () => resolve());
  const headers = [
    `host: ${host}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    'content-length: 2',
    'connection: close',
  ];
  socket.write(`POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n{`);
  return {
    answer: () => answer,
    finish: async () => {
      socket.write('}');
      await promise;
      return answer;
    },
  };
}
