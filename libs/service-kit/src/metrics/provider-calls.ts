import { currentTraceparent, NO_TRACING, type SpanFacts, type Tracing } from '@fundrail/messaging';
import type { Histogram } from 'prom-client';
import type { ServiceMetrics } from './service-metrics.ts';

/** The kind of a call to an outside system (`CallKind` of `@fundrail/providers`). */
interface ProviderCall {
  readonly provider: string;
  readonly method: string;
  /** The route with `{id}` in place of each value. */
  readonly template: string;
}

/** The measured part of an answer (`WireAnswer` of `@fundrail/providers`). */
export type ProviderAnswer =
  { readonly kind: 'answered'; readonly status: number } | { readonly kind: 'silence' | 'not_sent' };

/** The values of the label `outcome`. */
type ProviderOutcome = 'answered' | 'refused' | 'too_many_requests' | 'failed' | 'no_answer' | 'not_sent';

const TOO_MANY_REQUESTS = 429;

/** A 4xx is a refusal of our request, a 5xx a fault of the provider; `not_sent` means that we held the call back. */
export function outcomeOf(answer: ProviderAnswer): ProviderOutcome {
  if (answer.kind !== 'answered') return answer.kind === 'silence' ? 'no_answer' : 'not_sent';
  if (answer.status === TOO_MANY_REQUESTS) return 'too_many_requests';
  if (answer.status >= 200 && answer.status < 300) return 'answered';
  return answer.status >= 400 && answer.status < 500 ? 'refused' : 'failed';
}

/**
 * Measures the calls to outside systems, each in a span of the running trace, and has the business time. Pass `observe` and
 * `businessTime` to each adapter.
 */
export class ProviderCalls {
  readonly #durations: Histogram<'provider' | 'operation' | 'outcome'>;

  constructor(
    metrics: Pick<ServiceMetrics, 'histogram'>,
    private readonly tracing: Tracing = NO_TRACING,
    /** Business time in milliseconds, by which an adapter pauses a failing operation. */
    readonly businessTime: () => number = Date.now,
  ) {
    this.#durations = metrics.histogram({
      name: 'fundrail_provider_call_duration_seconds',
      help: 'Calls to outside systems, from connecting to the last byte, by route and outcome',
      labelNames: ['provider', 'operation', 'outcome'],
    });
  }

  readonly observe = async <Answer extends ProviderAnswer>(
    call: ProviderCall,
    make: () => Promise<Answer>,
  ): Promise<Answer> => {
    const { provider, method, template } = call;
    const began = performance.now();
    const span = this.tracing.begin(currentTraceparent(), () => factsOf(call));
    const answer = await make();
    const outcome = outcomeOf(answer);
    if (answer.kind === 'answered') span?.set({ 'http.response.status_code': answer.status });
    span?.end(outcome === 'answered' ? null : outcome);
    const labels = { provider, operation: `${method} ${template}`, outcome };
    this.#durations.observe(labels, (performance.now() - began) / 1000);
    return answer;
  };
}

function factsOf({ provider, method, template }: ProviderCall): SpanFacts {
  const attributes = { 'http.request.method': method, 'url.template': template, 'peer.service': provider };
  return { name: `${method} ${template}`, kind: 'client', attributes };
}
