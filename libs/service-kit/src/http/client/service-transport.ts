import type { ServiceName } from '@fundrail/contracts';

/** One request to another service. `path` starts with `/` and contains the query; `body` is JSON text. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  /** Whether the request is idempotent. */
  readonly isRepeatable: boolean;
}

export interface TransportAnswer {
  readonly status: number;
  readonly body: string;
}

/** Sends requests to other services: by HTTP between processes, directly inside one. Rejects when a process does not answer in time. */
export interface ServiceTransport {
  request(service: ServiceName, request: TransportRequest): Promise<TransportAnswer>;
  close(): Promise<void>;
}
