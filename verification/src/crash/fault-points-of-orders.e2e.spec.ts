import { describeCrashes } from '../testing/crash/describe-crashes.ts';

// In a separate file, so that Jest can run it beside the others: each crash costs a start of everything.
describeCrashes('orders', ({ fault }) => fault.point.startsWith('orders.'));
