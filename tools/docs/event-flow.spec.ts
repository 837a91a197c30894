import { readdirSync, readFileSync } from 'node:fs';
import { EMITTERS, EVENT_TYPES, SERVICES, TOPICS, type ServiceName } from '@fundrail/contracts';
import { handledTypes } from '@fundrail/messaging/testing';
import { definitions } from '../../apps/standalone/src/services.ts';
import { LISTENERS } from './event-flow.ts';

const DEFINITIONS = definitions(true);

/** The name of an object's state machine, or the names of its events if it has none. */
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

  it.each(DEFINITIONS)('$name listens to the documented events', (definition) => {
    const said = LISTENERS.filter(({ service }) => service === definition.name).flatMap(({ types }) => types);

    expect([...handledTypes(definition.module)].toSorted()).toEqual(said.toSorted());
  });
});

describe('who emits', () => {
  it.each(TOPICS)('$name is written only by the documented service', ({ name }) => {
    const emitters = SERVICES.filter((service) => marksOf(name).test(sourcesOf(service)));

    expect(emitters).toEqual([EMITTERS[name]]);
  });

  it('covers every event', () => {
    expect(EVENT_TYPES.filter((type) => EMITTERS[type.split('.', 1)[0] ?? ''] === undefined)).toEqual([]);
  });
});
