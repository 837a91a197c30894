import { READER_PAGE, READER_POLICY, READER_START } from '../../apps/standalone/src/documents/reader.ts';
import { pagePolicy } from '../../apps/standalone/src/pages/html.ts';
import { GENERATED_CONF } from './generated.ts';

/** `docker/edge/reader.conf`: what the reader's page may load. */
export function readerConf(): string {
  return `${GENERATED_CONF}\nadd_header Content-Security-Policy "${pagePolicy(READER_POLICY)}";\n`;
}

/** `docker/edge/docs/`: the same reader that the standalone serves, as files. */
export const readerPage = (): string => READER_PAGE;
export const readerStart = (): string => READER_START;
