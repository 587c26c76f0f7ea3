import type { Command } from '../../shared/ui/commands';

export function searchCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return commands;
  return commands
    .map(command => ({ command, score: scoreOf(command, words) }))
    .filter(each => each.score > 0)
    .sort((a, b) => b.score - a.score)
    .map(each => each.command);
}

/** Scores the start of the name highest, then starts of words, then any match. Returns 0 if a word is missing. */
function scoreOf({ name, group }: Command, words: readonly string[]): number {
  const text = name.toLowerCase();
  let score = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at === 0) score += 8;
    else if (at > 0 && /\W/.test(text.charAt(at - 1))) score += 4;
    else if (at > 0) score += 2;
    else if (group.toLowerCase().includes(word)) score += 1;
    else return 0;
  }
  return score;
}
