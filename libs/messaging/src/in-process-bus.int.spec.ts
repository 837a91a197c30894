import { InProcessBus } from './in-process-bus.ts';
import { busConformance } from './testing/bus-conformance.ts';

busConformance('the in-process bus', (groups) =>
  Promise.resolve({ bus: new InProcessBus({ groups }), close: () => Promise.resolve() }),
);
