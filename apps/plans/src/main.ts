import { runService } from '@fundrail/service-kit';
import { plansService } from './index.ts';

await runService(plansService);
