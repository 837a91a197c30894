import { GatewaypoaOrders, GatewaypoaPayments } from '@fundrail/providers';
import { SdkvendorPayments } from '@fundrail/providers/sdkvendor';
import type { RunningService } from '@fundrail/service-kit';
import type { ServiceTransport } from '@fundrail/service-kit/http';
import { inject, ServiceProcesses, TimeOuts, waitFor, type TestDatabase } from '@fundrail/testing';
import { jest } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { FaultInterceptor } from '../fault/fault.interceptor.ts';
import { simulatorService } from '../index.ts';
import { CallbackReceiver } from './callback-receiver.ts';
import { Neighbours } from './neighbours.ts';

export const API_KEY = 'test-api-key';
export const WEBHOOK_SECRET = 'test-webhook-secret';
export const RAZORPAY_KEY = {
  keyId: 'rzp_test_0123456789abcd',
  keySecret: 'test-razorpay-key-secret',
  webhookSecret: 'test-razorpay-webhook-secret',
};
/** Our adapter's own client data, for calls without an open page of the investor. */
const SERVER = { ip: '198.51.100.1', referer: 'https://pay.example', user_agent: 'fundrail' };
/** The adapters' time-out in tests: short, but long enough for a busy machine, which can stand still for some seconds. */
export const ADAPTER_TIMEOUT_MS = 3_000;

/** The simulator on a database of its own, with simulated neighbours and our own adapters in front of it. */
export class SimulatorStage {
  service!: RunningService;
  orders!: GatewaypoaOrders;
  payments!: GatewaypoaPayments;
  razorpay!: SdkvendorPayments;

  /** Those of our adapters. A call whose fault lasts longer times out as soon as the simulator holds it: after the effect, if there is one. */
  private readonly timeOuts = new TimeOuts(ADAPTER_TIMEOUT_MS);
  private readonly hold = jest.spyOn(FaultInterceptor.prototype, 'hold').mockImplementation(async (ms) => {
    if (ms < ADAPTER_TIMEOUT_MS) return pause(ms);
    this.timeOuts.pass();
    await pause(ms - ADAPTER_TIMEOUT_MS);
  });

  private constructor(
    private readonly processes: ServiceProcesses,
    readonly neighbours: Neighbours,
    readonly callbacks: CallbackReceiver,
  ) {}

  static async start(): Promise<SimulatorStage> {
    const processes = await ServiceProcesses.on(simulatorService);
    const stage = new SimulatorStage(processes, new Neighbours(), await CallbackReceiver.start());
    await stage.open();
    return stage;
  }

  /** Starts the service (again) on the same database. `transport` connects it to the other services. */
  async open(transport: ServiceTransport = this.neighbours): Promise<void> {
    this.service = await this.processes.start({
      transport,
      listen: true,
      env: {
        GATEWAYPOA_API_KEY: API_KEY,
        GATEWAYPOA_WEBHOOK_SECRET: WEBHOOK_SECRET,
        SDKVENDOR_KEY_ID: RAZORPAY_KEY.keyId,
        SDKVENDOR_KEY_SECRET: RAZORPAY_KEY.keySecret,
        SDKVENDOR_WEBHOOK_SECRET: RAZORPAY_KEY.webhookSecret,
        CALLBACK_BASE_URL: this.callbacks.url,
        DUE_POLL_MS: '50',
        PORT: '0',
      },
    });
    this.neighbours.own = async ({ method, path: url, headers, body: raw }) => {
      const { status, text } = await inject(this.service, { method, url, headers, raw });
      return { status, body: text };
    };
    const options = {
      baseUrl: this.url,
      apiKey: API_KEY,
      webhookSecret: WEBHOOK_SECRET,
      timeoutMs: ADAPTER_TIMEOUT_MS,
    };
    this.orders = new GatewaypoaOrders(options);
    this.payments = new GatewaypoaPayments(options);
    this.razorpay = new SdkvendorPayments({
      ...RAZORPAY_KEY,
      server: SERVER,
      baseUrl: `${this.url}/sdkvendor`,
      timeoutMs: ADAPTER_TIMEOUT_MS,
    });
  }

  get database(): TestDatabase {
    return this.processes.database;
  }

  get url(): string {
    if (!this.service.url) throw new Error('the simulator is not listening');
    return this.service.url;
  }

  /** A request with a tenant's token. */
  post(
    path: string,
    body: object,
    tenant = 'demo',
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    return this.send({ method: 'POST', url: path, body }, tenant, headers);
  }

  /** A GET with a tenant's token. */
  get(path: string, tenant = 'demo'): Promise<{ status: number; body: Record<string, unknown> }> {
    return this.send({ method: 'GET', url: path }, tenant);
  }

  private async send(
    request: Parameters<typeof inject>[1],
    tenant: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const authorization = this.neighbours.token(tenant);
    const answer = await inject(this.service, { ...request, headers: { authorization, ...headers } });
    return { status: answer.status, body: answer.json() };
  }

  /** Stops the service; the database and the neighbours stay. */
  async close(): Promise<void> {
    await Promise.all([this.orders, this.payments, this.razorpay].map((adapter) => adapter.close()));
    await this.service.stop();
  }

  /** Waits until every callback is sent: one of an earlier test would take the fault that is meant for the next. */
  async callbacksSent(): Promise<void> {
    const open = () =>
      this.service.database.dataSource.query<unknown[]>('SELECT FROM callbacks WHERE ended IS NULL');
    await waitFor(async () => (await open()).length === 0, { what: 'the callbacks to be sent' });
  }

  async end(): Promise<void> {
    this.hold.mockRestore();
    this.timeOuts.end();
    await this.close();
    await this.callbacks.stop();
    await this.processes.end();
  }
}
