import { ServiceMetrics, type Sample } from '@fundrail/service-kit';
import { Clock, Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { isSuccess, type AttemptAnswer } from './delivery.ts';
import { waitingDeliveries } from './waiting-deliveries.repository.ts';

/** The values of the label `outcome`. `refused` is any response below 500 that is not a success. */
type AttemptOutcome = 'delivered' | 'refused' | 'failed' | 'no_answer';

// From the time a delivery is due until it is sent: tens of milliseconds, or hours for an endpoint that accepts nothing.
const QUEUE_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];
const FIRST_FAULT_OF_THEIRS = 500;

const WAITING = 'fundrail_webhook_deliveries_waiting';
const LAG = 'fundrail_webhook_delivery_lag_seconds';

export function outcomeOf(answer: AttemptAnswer): AttemptOutcome {
  if (answer.status === null) return 'no_answer';
  if (isSuccess(answer)) return 'delivered';
  return answer.status < FIRST_FAULT_OF_THEIRS ? 'refused' : 'failed';
}

/** The Prometheus metrics of deliveries. They cover all endpoints together, because the number of tenants and endpoints is unbounded. */
@Injectable()
export class DeliveryMetrics {
  private readonly queueing;
  private readonly attempts;

  constructor(
    metrics: ServiceMetrics,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.queueing = metrics.histogram({
      name: 'fundrail_webhook_queueing_seconds',
      help: 'From the time an attempt was due until it started',
      buckets: QUEUE_BUCKETS,
    });
    this.attempts = metrics.histogram({
      name: 'fundrail_webhook_attempt_duration_seconds',
      help: 'Attempts to deliver a webhook, by outcome',
      labelNames: ['outcome'],
    });
    const labelNames = ['endpoints'];
    const gauges = [
      {
        name: WAITING,
        help: 'Deliveries that are due and not in progress, counted up to 10,000',
        labelNames,
      },
      { name: LAG, help: 'How long the oldest of them has been due', labelNames },
    ];
    metrics.gauges(gauges, () => this.waiting());
  }

  began(queuedMs: number): void {
    this.queueing.observe(queuedMs / 1000);
  }

  ended(answer: AttemptAnswer): AttemptOutcome {
    const outcome = outcomeOf(answer);
    this.attempts.observe({ outcome }, answer.duration_ms / 1000);
    return outcome;
  }

  /** Failing endpoints are counted separately: their deliveries wait for the tenant's developers, not for us. */
  private async waiting(): Promise<Sample[]> {
    const now = await this.database.now();
    const { well, failing } = await waitingDeliveries(this.database, now, this.clock.now());
    return Object.entries({ well, failing }).flatMap(([endpoints, { waiting, oldest }]) => {
      const lag = oldest === null ? 0 : Math.max(0, now.getTime() - oldest.getTime()) / 1000;
      const labels = { endpoints };
      return [
        { name: WAITING, labels, value: waiting },
        { name: LAG, labels, value: lag },
      ];
    });
  }
}
