import { bootstrap } from '@fundrail/service-kit';
import { identityService } from './index.ts';

await bootstrap(identityService);
