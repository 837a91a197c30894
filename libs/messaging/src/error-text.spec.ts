import { errorText, loggedError } from './error-text.ts';

const broken = Object.assign(new Error('duplicate key value violates unique constraint "investors_pan"'), {
  code: '23505',
  detail: 'Key (pan)=(ABCDE1234F) already exists.',
});

describe('the text of an error', () => {
  it('is its name, message and code, and never the row that PostgreSQL quotes', () => {
    expect(errorText(broken)).toBe(
      'Error: duplicate key value violates unique constraint "investors_pan" (23505)',
    );
    expect(JSON.stringify(loggedError(broken))).not.toContain('ABCDE1234F');
  });

  it('is the value itself when something else was thrown', () => {
    expect(errorText({ status: 'error' })).toBe('{"status":"error"}');
    expect(errorText(undefined)).toBe('undefined');
  });
});
