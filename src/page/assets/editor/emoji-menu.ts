/** The menu that `:` and two letters open in a text: emoji by their names. A whole name with its last `:` is replaced. The names are loaded when they are first needed. */
import type { Plugin } from 'prosemirror-state'
import { suggestionMenu, typedBefore } from './suggestion-menu.ts'

const SHOWN = 8

export const emojiMenu = (): Plugin =>
  suggestionMenu({
    id: 'emoji',
    label: 'Emoji',
    match: (state) => typedBefore(state, /(?:^|(?<=[\s\ufffc(]))(:)([a-z0-9_+-]{2,30}:?)$/i),
    isWhole: (query, { name }) => `:${query.toLowerCase()}` === name,
    async find(query) {
      const { emojiWithName } = await import('./emoji-names.ts')
      return emojiWithName(query.toLowerCase().replace(/:$/, ''), SHOWN).map(({ emoji, name }) => ({
        name: `:${name}:`,
        icon: emoji,
        choose: (view, { from, to }) => view.dispatch(view.state.tr.insertText(emoji, from, to)),
      }))
    },
  })
