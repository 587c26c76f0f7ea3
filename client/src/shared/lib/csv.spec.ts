import { describe, expect, it } from 'vitest';
import { toCsv } from './csv';

const lines = (csv: string) => csv.slice(1).split('\r\n');

describe('a table as CSV', () => {
  it('begins with a byte order mark and terminates every row', () => {
    expect(toCsv(['a', 'b'], [[1, 'ü']])).toBe('\uFEFFa,b\r\n1,ü\r\n');
  });

  it('quotes special characters', () => {
    expect(lines(toCsv(['t'], [['a,b'], ['say "hi"'], ['two\nlines'], ['cr\rhere'], [' blank ']]))).toEqual([
      't',
      '"a,b"',
      '"say ""hi"""',
      '"two\nlines"',
      '"cr\rhere"',
      '" blank "',
      '',
    ]);
  });

  it('escapes formulas in strings but not in numbers', () => {
    const rows = [
      ['=1+1'],
      ['+1'],
      ['-1'],
      ['@sum'],
      ['\t=1'],
      ['  =1'],
      ['|calc'],
      ['＝1+1'],
      ['　＋1'],
      ['－1'],
      ['＠sum'],
      ['｜calc'],
      [-0.5],
      [null],
      [Number.NaN],
      ['1-1'],
    ];
    expect(lines(toCsv(['t'], rows))).toEqual([
      't',
      "'=1+1",
      "'+1",
      "'-1",
      "'@sum",
      "'\t=1",
      "'  =1",
      "'|calc",
      "'＝1+1",
      "'　＋1",
      "'－1",
      "'＠sum",
      "'｜calc",
      '-0.5',
      '',
      '',
      '1-1',
      '',
    ]);
  });
});
