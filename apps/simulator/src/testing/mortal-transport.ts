import type { ServiceName } from '@fundrail/contracts';
import type { ServiceTransport, TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';

/**
 * A transport that simulates the death of its process. From the call that `diesAt` matches, no request reaches another service and no
 * response returns.
 */
export class MortalTransport implements ServiceTransport {
  readonly #died = Promise.withResolvers<void>();
  readonly #buried = Promise.withResolvers<never>();
  #isDead = false;

  constructor(
    private readonly inner: ServiceTransport,
    private readonly diesAt: (service: ServiceName, request: TransportRequest) => boolean,
  ) {
    this.#buried.promise.catch(() => undefined);
  }

  /** Resolves at the call at which the process dies. */
  get died(): Promise<void> {
    return this.#died.promise;
  }

  /** Ends the hanging calls, so that the test can stop the rest of the process. */
  bury(): void {
    this.#buried.reject(new Error('the process is gone'));
  }

  request(service: ServiceName, request: TransportRequest): Promise<TransportAnswer> {
    if (!this.#isDead && !this.diesAt(service, request)) return this.inner.request(service, request);
    this.#isDead = true;
    this.#died.resolve();
    return this.#buried.promise;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
