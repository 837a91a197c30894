import { readdirSync, readFileSync } from 'node:fs';
import { EMITTERS, EVENT_TYPES, SERVICES, TOPICS, type ServiceName } from '@fundrail/contracts';
import { identityService } from '@fundrail/identity';
import { mandatesService } from '@fundrail/mandates';
import { handledTypes } from '@fundrail/messaging/testing';
import { ordersService } from '@fundrail/orders';
import { paymentsService } from '@fundrail/payments';
import { simulatorService } from '@fundrail/simulator';
import { swpService } from '@fundrail/swp';
import { webhooksService } from '@fundrail/webhooks';
import { LISTENERS, NOT_WRITTEN_YET } from './event-flow.ts';

const DEFINITIONS = [
  identityService,
  ordersService,
  paymentsService,
  mandatesService,
  swpService,
  webhooksService,
  simulatorService,
];

/** What moves an object: its machine, or where it has none the names of its events. */
function marksOf(topic: string): RegExp {
  const machine = topic.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
  return new RegExp(`\\b${machine}Machine\\b|type: '${topic}\\.`);
}

function sourcesOf(service: ServiceName): string {
  const folder = new URL(`../../apps/${service}/src/`, import.meta.url);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('.spec.') && !file.includes('testing/'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n');
}

describe('who listens', () => {
  it('covers every service', () => {
    expect(DEFINITIONS.map(({ name }) => name).toSorted()).toEqual([...SERVICES].toSorted());
  });

  it.each(DEFINITIONS)('$name listens to what the documents say', (definition) => {
    const said = LISTENERS.filter(({ service }) => service === definition.name).flatMap(({ types }) => types);

    expect([...handledTypes(definition.module)].toSorted()).toEqual(said.toSorted());
  });
});

describe('who emits', () => {
  it.each(TOPICS)('$name is written by the one service that the documents say', ({ name }) => {
    const emitters = SERVICES.filter((service) => marksOf(name).test(sourcesOf(service)));
    const expected = emitters.length === 0 && NOT_WRITTEN_YET.includes(name) ? [] : [EMITTERS[name]];

    expect(emitters).toEqual(expected);
  });

  it('covers every event', () => {
    expect(EVENT_TYPES.filter((type) => EMITTERS[type.split('.', 1)[0] ?? ''] === undefined)).toEqual([]);
  });
});
