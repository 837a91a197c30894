import type { ServerResponse } from 'node:http';
import { EndpointServer, type Hit } from './endpoint-server.ts';

const TYPE = 'notification_webhook.challenge';

/** An endpoint whose responses to challenges the test defines. It responds to every event with 204. */
export class ChallengedServer {
  private constructor(readonly server: EndpointServer) {}

  /** Starts an endpoint that answers every challenge correctly. */
  static async start(): Promise<ChallengedServer> {
    const challenged = new ChallengedServer(await EndpointServer.start());
    challenged.whenChallenged(answerRightly);
    return challenged;
  }

  get url(): string {
    return this.server.url;
  }

  whenChallenged(answer: (challenge: string, response: ServerResponse, hit: Hit) => void): void {
    this.server.answer = (hit, response) => {
      if (isChallenge(hit)) answer(challengeOf(hit), response, hit);
      else response.writeHead(204).end();
    };
  }

  get challenges(): Hit[] {
    return this.server.hits.filter(isChallenge);
  }

  get events(): Hit[] {
    return this.server.hits.filter((hit) => !isChallenge(hit));
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

export function answerRightly(challenge: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ challenge }));
}

/** The text that a challenge expects back. */
export function challengeOf({ raw }: Hit): string {
  return (JSON.parse(raw) as { data: { challenge: string } }).data.challenge;
}

function isChallenge({ raw }: Hit): boolean {
  return (JSON.parse(raw) as { type: string }).type === TYPE;
}
