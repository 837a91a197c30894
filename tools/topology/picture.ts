import { PRODUCT_SERVICES, TOPOLOGY, type ServiceName } from '@fundrail/contracts';
import { LISTENERS } from '../docs/event-flow.ts';
import { CALLERS_OF_PROVIDERS, callersOf } from './network-policies.ts';

/** The services and their connections outside the sandbox, as a diagram of Mermaid. */
export function architecturePicture(): string {
  const all = PRODUCT_SERVICES.join(' & ');
  const publish = PRODUCT_SERVICES.filter((name) => TOPOLOGY[name].topics.length > 0).join(' & ');
  const consume = PRODUCT_SERVICES.filter((name) => LISTENERS.some(({ service }) => service === name));
  const clients = PRODUCT_SERVICES.filter((name) => TOPOLOGY[name].reachesClients);
  const lines = [
    'flowchart LR',
    'buyer[buyer app] -- HTTP --> edge',
    `edge --> ${all}`,
    ...PRODUCT_SERVICES.flatMap(questionsTo),
    `${publish} == outbox, relay ==> kafka[(Kafka)]`,
    `kafka == inbox ==> ${consume.join(' & ')}`,
    ...PRODUCT_SERVICES.map((name, index) => `${name} --- db${index + 1}[(PostgreSQL)]`),
    `${CALLERS_OF_PROVIDERS.join(' & ')} <-- "signed HTTP" --> provider[order gateway, payment provider]`,
    `${clients.join(' & ')} -- signed webhooks --> buyer`,
  ];
  return `\n\`\`\`mermaid\n${lines.join('\n  ')}\n\`\`\`\n\n`;
}

/** One arrow for each thing that is asked of the service. */
function questionsTo(name: ServiceName): string[] {
  const byQuestion = Map.groupBy(callersOf(name), (caller) => TOPOLOGY[caller].calls[name] ?? '');
  return [...byQuestion].map(([asked, by]) => `${by.join(' & ')} -. "HTTP: ${asked}" .-> ${name}`);
}
