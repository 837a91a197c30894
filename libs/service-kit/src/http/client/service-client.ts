import type { ServiceName } from '@fundrail/contracts';
import type { z } from 'zod';

/** A call of an internal route. `answer` is what it must answer; anything else counts as no answer. */
export interface ServiceCall<S extends z.ZodType> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly answer: S;
  /** Wall milliseconds of one try; 2000 when left out. */
  readonly timeoutMs?: number;
  /** Tries once more when there was no answer. A GET always does; a POST only where doing it twice is doing it once. */
  readonly retry?: boolean;
}

/** Calls the internal routes of the neighbours, with a service token. */
export class ServiceClient {
  /**
   * No answer, a 5xx or a body that is not the `answer` → `ApiError` SERVICE_UNAVAILABLE (503, Retry-After 1); a 4xx →
   * `ApiError` with the code, message and fields of the answer. Throws inside an open transaction (architecture, rule 5).
   */
  call<S extends z.ZodType>(service: ServiceName, call: ServiceCall<S>): Promise<z.output<S>> {
    throw new Error(`not built yet: ${service} ${call.path}`);
  }
}
