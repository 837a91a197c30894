import { bootstrap } from '@fundrail/service-kit';
import { ordersService } from './index.ts';

await bootstrap(ordersService);
