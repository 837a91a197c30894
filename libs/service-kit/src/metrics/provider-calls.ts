import { currentTraceparent, NO_TRACING, type SpanFacts, type Tracing } from '@fundrail/messaging';
import type { Histogram } from 'prom-client';
import type { ServiceMetrics } from './service-metrics.ts';

/** What a call of an outside system is, whatever it is about (`CallKind` of `@fundrail/providers`). */
export interface ProviderCall {
  readonly provider: string;
  readonly method: string;
  /** The route with `{id}` in place of each value. */
  readonly template: string;
}

/** What came back, as far as it is measured (`WireAnswer` of `@fundrail/providers`). */
export type ProviderAnswer =
  { readonly kind: 'answered'; readonly status: number } | { readonly kind: 'silence' | 'not_sent' };

/** The values of the label `outcome`. */
export type ProviderOutcome =
  'answered' | 'refused' | 'too_many_requests' | 'failed' | 'no_answer' | 'not_sent';

const TOO_MANY_REQUESTS = 429;

/** A 4xx is the provider's word on our request, a 5xx a fault of its own; what was not sent is held back by us. */
export function outcomeOf(answer: ProviderAnswer): ProviderOutcome {
  if (answer.kind !== 'answered') return answer.kind === 'silence' ? 'no_answer' : 'not_sent';
  if (answer.status === TOO_MANY_REQUESTS) return 'too_many_requests';
  if (answer.status >= 200 && answer.status < 300) return 'answered';
  return answer.status >= 400 && answer.status < 500 ? 'refused' : 'failed';
}

/** Measures the calls of outside systems, each in a span of the running trace. Give `observe` to each adapter. */
export class ProviderCalls {
  readonly #durations: Histogram<'provider' | 'operation' | 'outcome'>;

  constructor(
    metrics: Pick<ServiceMetrics, 'histogram'>,
    private readonly tracing: Tracing = NO_TRACING,
  ) {
    this.#durations = metrics.histogram({
      name: 'fundrail_provider_call_duration_seconds',
      help: 'Calls of outside systems, from connecting to the last byte, by route and by what came of them',
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
