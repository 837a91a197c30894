import type { ServiceName } from '@fundrail/contracts';

/** One request to a neighbour. `path` begins with `/` and carries the query; `body` is JSON text. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  /** Whether doing it twice is doing it once. */
  readonly isRepeatable: boolean;
}

export interface TransportAnswer {
  readonly status: number;
  readonly body: string;
}

/** The way to a neighbour: HTTP between processes, a direct hand-over inside one. Rejects when there is no answer in time. */
export interface ServiceTransport {
  request(service: ServiceName, request: TransportRequest): Promise<TransportAnswer>;
  close(): Promise<void>;
}
