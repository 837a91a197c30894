import { callsOf, PRODUCT_SERVICES, TOPOLOGY } from '@fundrail/contracts';
import { table } from './markdown.ts';

/** Who asks whom outside the sandbox, and for what (CALL-6). */
export function callsTable(): string {
  const rows = PRODUCT_SERVICES.flatMap((name) =>
    callsOf(name).map((other) => [`\`${name}\``, `\`${other}\``, TOPOLOGY[name].calls[other] ?? '']),
  );
  return `\n${table(['Service', 'Asks', 'For'], rows)}\n\n`;
}
