import { runService } from '@fundrail/service-kit';
import { swpService } from './index.ts';

await runService(swpService);
