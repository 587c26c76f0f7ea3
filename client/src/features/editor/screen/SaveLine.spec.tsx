import { expect, it } from 'vitest';
import { render, screen } from '../../../shared/testing';
import { defaultStart } from '../../tour/draft';
import type { EditorState } from '../model/editor';
import { SaveLine } from './SaveLine';

const content = { steps: [], start: defaultStart, themeId: null, locales: ['en'] };

const state: EditorState = {
  content,
  saved: { content, version: 1, author: 'Ana', problems: [] },
  save: { kind: 'saved' },
  restored: false,
  mergedFrom: null,
  storedLocally: true,
  undo: null,
  redo: null,
};

function renderText(readOnly: boolean, reason: string | null): string | null {
  render(<SaveLine state={state} readOnly={readOnly} reason={reason} onRetry={() => {}} onReview={() => {}} />);
  return screen.getByRole('status').textContent;
}

it('shows the save state if the tour can be edited', () => {
  expect(renderText(false, null)).toBe('All changes saved');
});

it('shows the reason instead if the editor is read-only', () => {
  expect(renderText(true, 'This tour is archived.')).toBe('This tour is archived.');
});

it('shows nothing if the editor is read-only and another note gives the reason', () => {
  expect(renderText(true, null)).toBe('');
});
