import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import type { PublicLookup } from './public-lookup.ts';

/**
 * How the sender's sockets are opened: for HTTP/1.1, and only to allowed addresses. A host that is an address is judged
 * before, one that is a name when it resolves, and the address at the other end once more when the socket stands: whatever
 * the first two might overlook, no byte of a webhook goes there.
 */
export function guardedConnector(
  lookup: Pick<PublicLookup, 'forSocket' | 'refusal'>,
  timeoutMs: number,
): buildConnector.connector {
  const connect = buildConnector({ allowH2: false, lookup: lookup.forSocket, timeout: timeoutMs });
  return (options, callback) => {
    const { hostname } = options;
    const refused = isIP(hostname) === 0 ? null : lookup.refusal(hostname, hostname);
    if (refused) {
      callback(refused, null);
      return;
    }
    connect(options, (error, socket) => {
      if (error) {
        callback(error, null);
        return;
      }
      const late = lookup.refusal(hostname, socket.remoteAddress ?? '');
      if (late) {
        socket.destroy();
        callback(late, null);
      } else callback(null, socket);
    });
  };
}
