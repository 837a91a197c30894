import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import type { PublicLookup } from './public-lookup.ts';

/**
 * Opens the sender's sockets for HTTP/1.1, and only to allowed addresses. An IP address as host is checked first; a name is checked when
 * it resolves; and the remote address is checked again when the socket is connected. So even if the first checks miss something, no byte
 * of a webhook is sent there.
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
