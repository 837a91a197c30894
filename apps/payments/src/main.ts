import { runService } from '@fundrail/service-kit';
import { paymentsService } from './index.ts';

await runService(paymentsService);
