import { describe, expect, it } from 'vitest';
import { csvOf } from './csv';

const lines = (csv: string) => csv.slice(1).split('\r\n');

describe('a table as CSV', () => {
  it('says that it is UTF-8 and ends every row', () => {
    expect(csvOf(['a', 'b'], [[1, 'ü']])).toBe('\uFEFFa,b\r\n1,ü\r\n');
  });

  it('quotes what would break a cell', () => {
    expect(lines(csvOf(['t'], [['a,b'], ['say "hi"'], ['two\nlines'], ['cr\rhere'], [' blank ']]))).toEqual([
      't',
      '"a,b"',
      '"say ""hi"""',
      '"two\nlines"',
      '"cr\rhere"',
      '" blank "',
      '',
    ]);
  });

  it('makes no formula of a text, and no text of a number', () => {
    const rows = [
      ['=1+1'],
      ['+1'],
      ['-1'],
      ['@sum'],
      ['\t=1'],
      ['  =1'],
      ['|calc'],
      [-0.5],
      [null],
      [Number.NaN],
      ['1-1'],
    ];
    expect(lines(csvOf(['t'], rows))).toEqual([
      't',
      "'=1+1",
      "'+1",
      "'-1",
      "'@sum",
      "'\t=1",
      "'  =1",
      "'|calc",
      '-0.5',
      '',
      '',
      '1-1',
      '',
    ]);
  });
});
