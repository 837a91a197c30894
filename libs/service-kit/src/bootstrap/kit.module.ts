import { Tracing } from '@fundrail/messaging';
import type { DynamicModule } from '@nestjs/common';
import { ENVIRONMENT } from '../config/environment.ts';
import { DataCipher } from '../crypto/data-cipher.ts';
import { Clock } from '../db/clock.ts';
import { Database } from '../db/database.ts';
import { DueWorker } from '../due/due-worker.ts';
import { HashingSecret } from '../hashing/hashing-secret.ts';
import { HealthController } from '../health/health.controller.ts';
import { Health } from '../health/health.ts';
import { Doorkeeper } from '../http/auth/auth.hook.ts';
import { ServiceClient } from '../http/client/service-client.ts';
import { Log } from '../logging/log.ts';
import { ProviderCalls } from '../metrics/provider-calls.ts';
import { ServiceMetrics } from '../metrics/service-metrics.ts';
import { EventWatch } from '../sandbox/event-watch.ts';
import { PERSONAL_TABLES, PersonalDataController } from '../personal-data/personal-data.controller.ts';
import { ReconciliationController } from '../reconciliation/reconciliation.controller.ts';
import { SEQUENCES, SequencesController } from '../reconciliation/sequences.controller.ts';
import { SandboxController } from '../sandbox/sandbox.controller.ts';
import type { KitParts } from './kit-parts.ts';

/** The providers of the kit for every module of a service, by class (`ENVIRONMENT` by its symbol). */
export class KitModule {
  static with(parts: KitParts): DynamicModule {
    const providers = [
      { provide: ENVIRONMENT, useValue: parts.env },
      { provide: Clock, useValue: parts.clock },
      { provide: Database, useValue: parts.database },
      { provide: DataCipher, useValue: parts.cipher },
      { provide: Doorkeeper, useValue: parts.doorkeeper },
      { provide: DueWorker, useValue: parts.dueWorker },
      { provide: HashingSecret, useValue: parts.hashing },
      { provide: Log, useValue: parts.log },
      { provide: ProviderCalls, useValue: providerCalls(parts) },
      { provide: ServiceClient, useValue: parts.client },
      { provide: Tracing, useValue: parts.tracing },
      { provide: ServiceMetrics, useValue: parts.metrics },
      {
        provide: EventWatch,
        useValue: new EventWatch(parts.definition.name, parts.database, parts.bus, parts.clock),
      },
      { provide: Health, useValue: parts.health },
      { provide: SEQUENCES, useValue: parts.definition.sequences ?? null },
      { provide: PERSONAL_TABLES, useValue: parts.definition.personal ?? [] },
    ];
    return {
      module: KitModule,
      global: true,
      controllers: [
        ReconciliationController,
        ...(parts.definition.sequences ? [SequencesController] : []),
        ...(parts.definition.personal ? [PersonalDataController] : []),
        ...(parts.config.OPS_PORT === undefined ? [HealthController] : []),
        ...(parts.config.sandbox ? [SandboxController] : []),
      ],
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}

function providerCalls({ metrics, tracing, database }: KitParts): ProviderCalls {
  return new ProviderCalls(metrics, tracing, () => database.lastNow().getTime());
}
