import { describe, expect, it } from 'vitest';
import type { Command } from '../../shared/ui/commands';
import { searchCommands } from './search-commands';

const command = (name: string): Command => ({ id: name, name, group: 'Edit', run: () => undefined });

describe('a search', () => {
  const commands = [command('Undo the cart'), command('Step 3: Your cart'), command('Cart settings'), command('Save')];
  const found = (text: string) => searchCommands(commands, text).map(each => each.name);

  it('finds all words anywhere and ranks prefixes first', () => {
    expect(found('cart')).toEqual(['Cart settings', 'Undo the cart', 'Step 3: Your cart']);
    expect(found('your ca')).toEqual(['Step 3: Your cart']);
    expect(found('edit sav')).toEqual(['Save']);
    expect(found('nothing')).toEqual([]);
  });

  it('returns all commands in their order if the text is empty', () => {
    expect(found(' ')).toEqual(commands.map(each => each.name));
  });
});
