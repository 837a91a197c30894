import { bootstrap } from '@fundrail/service-kit';
import { simulatorService } from './index.ts';

await bootstrap(simulatorService);
