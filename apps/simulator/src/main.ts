import { runService } from '@fundrail/service-kit';
import { simulatorService } from './index.ts';

await runService(simulatorService);
