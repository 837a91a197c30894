import { READER_PAGE, READER_POLICY, READER_START } from '../../apps/standalone/src/documents/reader.ts';
import { pagePolicy } from '../../apps/standalone/src/pages/html.ts';
import { GENERATED } from '../topology/blocks.ts';
import { safeHeaderLines } from './headers.ts';

/** `docker/edge/reader.conf`: the headers of the reader's page, with the policy of what it may load. */
export function readerConf(): string {
  return [GENERATED, ...safeHeaderLines(pagePolicy(READER_POLICY)), ''].join('\n');
}

/** `docker/edge/docs/`: the same reader that the standalone serves, as files. */
export const readerPage = (): string => READER_PAGE;
export const readerStart = (): string => READER_START;
