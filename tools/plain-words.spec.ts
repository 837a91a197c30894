import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

const REFUSED: readonly (readonly [where: string, text: string, words: readonly string[]])[] = [
  ['a comment', '// Nobody hears of it.', ['Nobody', 'hears']],
  ['a message', `throw new Error('whoever asks is told')`, ['whoever', 'told']],
  ['a name', 'const noticeTold = tellAnew();', ['Told', 'tell', 'Anew']],
  ['a constant', 'const TELL_AFTER_MS = 1;', ['TELL']],
];
const ALLOWED: readonly (readonly [what: string, text: string])[] = [
  ['what is stored or published under such a name', `kind = 'tell_mandate'`],
  ['a word that only contains one', 'An intelligent teller, rehearsed.'],
  ['any other word, however it is spelled', 'const adn = teh;'],
];

/** The words that `npm run lint` refuses in each of these lines, as cspell.json lists them. */
function refusedIn(lines: readonly string[]): readonly (readonly string[])[] {
  const { stdout } = spawnSync('npx', ['cspell', 'lint', '--no-progress', '--no-summary', 'stdin'], {
    cwd: ROOT,
    input: lines.join('\n'),
    encoding: 'utf8',
  });
  const found = [...stdout.matchAll(/:(\d+):\d+ - Forbidden word \((\w+)\)/g)];
  return lines.map((_, index) =>
    found.filter(([, line]) => Number(line) === index + 1).map(([, , word = '']) => word),
  );
}

describe('words that the project does not use', () => {
  const found = refusedIn([...REFUSED, ...ALLOWED].map(([, text]) => text));

  it.each(REFUSED.map((row, index) => [...row, found[index]] as const))(
    'are refused in %s',
    (_where, _text, words, refused) => {
      expect(refused).toEqual(words);
    },
  );

  it.each(ALLOWED.map(([what], index) => [what, found[REFUSED.length + index]] as const))(
    'do not include %s',
    (_what, refused) => {
      expect(refused).toEqual([]);
    },
  );
});
