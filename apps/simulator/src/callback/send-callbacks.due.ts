import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { faultPoint } from '@fundrail/service-kit/http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, request } from 'undici';
import { SimulatorConfig } from '../config.ts';
import { store } from '../store/simulator.tables.ts';
import { endCallback, SEND_CALLBACKS } from './callback.repository.ts';
import { isGivenUp, nextCallback, type CallbackRow } from './callback.ts';
import { postOf } from './callback-post.ts';

// Shorter than the lease of due work (10 s), so that a second sender does not start while this one waits for the response.
const TIMEOUT_MS = 5_000;

/**
 * Sends an object's callbacks in order, each at least once. A failed callback is retried with the back-off of GATE-3 and the same event
 * id. One sender works on an object at a time: work that was rescheduled meanwhile waits for the running sender.
 */
@Injectable()
export class SendCallbacks implements OnApplicationShutdown {
  readonly #agent = new Agent({ connections: 32 });
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(
    private readonly db: Database,
    private readonly config: SimulatorConfig,
    private readonly log: Log,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.#agent.close();
  }

  @HandlesDue(SEND_CALLBACKS)
  async handle(work: DueWork): Promise<DueResult> {
    const before = this.#running.get(work.key) ?? Promise.resolve();
    const turn = before.then(
      () => this.sendAll(work),
      () => this.sendAll(work),
    );
    this.#running.set(work.key, turn);
    try {
      return await turn;
    } finally {
      if (this.#running.get(work.key) === turn) this.#running.delete(work.key);
    }
  }

  private async sendAll(work: DueWork): Promise<DueResult> {
    const [topic = '', ...names] = work.key.split('/');
    const unsent = { topic: topic as CallbackRow['topic'], reference: names.join('/'), ended: null };
    for (;;) {
      const now = await this.db.now();
      const next = nextCallback(await store.callbacks.list(this.db, unsent, 't.id'), now);
      if (!next) return 'done';
      if ('wait' in next) return { again: next.wait };
      if (!(await this.send(next.send, work.attempts, now))) return 'later';
    }
  }

  /** Returns true when the callback is finished: accepted by the receiver, or given up. */
  private async send(callback: CallbackRow, attempts: number, now: Date): Promise<boolean> {
    const failed = callback.fault === 'status_500' && attempts === 0;
    if (!failed && (await this.post(callback))) {
      if (callback.fault === 'duplicate') await this.post(callback);
      await faultPoint('simulator.callback_taken');
      await endCallback(this.db, callback, 'delivered', now);
      return true;
    }
    const { event_id, reference } = callback;
    this.log.warn('a callback was not accepted', { event_id, reference, attempts });
    if (!isGivenUp(callback, now)) return false;
    await endCallback(this.db, callback, 'given_up', now);
    return true;
  }

  private async post(callback: CallbackRow): Promise<boolean> {
    try {
      const { path, headers } = postOf(callback, this.config, new Date());
      const answer = await request(`${this.config.callbackBaseUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: callback.body,
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body.dump();
      return answer.statusCode >= 200 && answer.statusCode < 300;
    } catch {
      return false;
    }
  }
}
