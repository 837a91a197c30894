import { LocalServer } from '@fundrail/testing';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Disturbed } from '../conformance-stage.ts';
import type { MandateCall } from '../mandate-stage.ts';
import { asked, NOT_FOUND, ThirdpayBooks, type Said } from './thirdpay-books.ts';
import { ThirdpayCallbacks } from './thirdpay-callbacks.ts';
import { ThirdpayStandings } from './thirdpay-standings.ts';

type How = 'lost' | 'late' | 'slow' | 'overtaken' | 'status_500' | 'nonsense';
type Call = Disturbed | MandateCall;
interface Routed {
  readonly call: Call;
  readonly work: () => Said;
}

/** The simulated thirdpay over HTTP, which can disturb its next calls. */
export class ThirdpayServer extends LocalServer {
  readonly callbacks: ThirdpayCallbacks;
  readonly books: ThirdpayBooks;
  readonly standings: ThirdpayStandings;
  /** Called when an answer comes too late from now on, after the effect of its call. */
  onLate: () => void = () => undefined;
  readonly #disturbed = new Map<Call, How>();
  /** Calls that are executed after their repetition. */
  readonly #overtaken = new Map<Call, () => Said>();

  constructor(
    secret: string,
    private readonly delaysMs: { readonly late: number; readonly slow: number },
  ) {
    super();
    this.callbacks = new ThirdpayCallbacks(secret);
    this.books = new ThirdpayBooks(this.callbacks);
    this.standings = new ThirdpayStandings(this.callbacks, delaysMs.slow);
  }

  disturb(call: Call, how: How): void {
    this.#disturbed.set(call, how);
  }

  protected async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { call, work } = this.routed(request, await text(request));
    const how = this.#disturbed.get(call);
    this.#disturbed.delete(call);
    if (how === 'lost') return void request.socket.destroy();
    if (how === 'overtaken') {
      this.#overtaken.set(call, work);
      this.onLate();
      return;
    }
    if (how === 'status_500') return void response.writeHead(500).end();
    const said = work();
    this.#overtaken.get(call)?.();
    this.#overtaken.delete(call);
    if (how === 'late') this.onLate();
    // A late answer keeps no process alive.
    if (how === 'late' || how === 'slow') await pause(this.delaysMs[how], undefined, { ref: how === 'slow' });
    if (how === 'nonsense') return void response.end('<html>');
    response.writeHead(said.status, { 'content-type': 'application/json' }).end(JSON.stringify(said.body));
  }

  private routed({ url, method }: IncomingMessage, sent: string): Routed {
    const [, what, name = '', part = '', key = '', end = ''] = (url ?? '').split('/');
    const body = asked.parse(method === 'POST' ? JSON.parse(sent) : {});
    const { books, standings } = this;
    const routes: Readonly<Record<string, [Call, () => Said]>> = {
      'POST charges': [body.vpa ? 'collect' : 'payment', () => books.begin(name, body)],
      'GET charges': ['payment_status', () => books.chargeOf(name)],
      'POST charges void': ['order_status', () => books.takeBack(name)],
      'POST charges givebacks': ['refund', () => books.give(name, key, body)],
      'GET charges givebacks': ['refund_status', () => books.giveOf(name, key)],
      'POST standings': [
        body.vpa ? 'authorisation_collect' : 'authorisation',
        () => standings.begin(name, body),
      ],
      'GET standings': ['authorisation_status', () => standings.standingOf(name)],
      'POST standings void': ['order_status', () => standings.takeBack(name)],
      'GET tokens': ['mandate_status', () => standings.tokenOf(name)],
      'POST tokens end': ['revoke', () => standings.endToken(name)],
      'POST tokens notices': ['notify', () => standings.notify(name, key, body)],
      'POST tokens notices void': ['order_status', () => standings.withdraw(key)],
      'POST tokens debits': ['execute', () => standings.debit(name, key, body)],
      'GET tokens debits': ['debit_status', () => standings.debitOf(key)],
    };
    const [call, work] = routes[[method, what, part, end].filter(Boolean).join(' ')] ?? [
      'order_status',
      () => NOT_FOUND,
    ];
    return { call, work };
  }
}
