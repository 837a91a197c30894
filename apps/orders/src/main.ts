import { runService } from '@fundrail/service-kit';
import { ordersService } from './index.ts';

await runService(ordersService);
