/**
 * The menu that `:` and two letters open in a text: emoji by their names. A whole name with its last `:` is replaced.
 */
import type { Plugin } from 'prosemirror-state'
import { text } from '../page-text.ts'
import { type Suggestion, suggestionMenu, typedBefore } from './suggestion-menu.ts'

const SHOWN = 8

/** Loaded when they are first needed. From then on a whole name is replaced before the next key. */
let names: typeof import('./emoji-names.ts') | undefined

export const emojiMenu = (): Plugin =>
  suggestionMenu({
    id: 'emoji',
    label: text('Emoji'),
    match: (state) => typedBefore(state, /(?:^|(?<=[\s\ufffc(]))(:)([a-z0-9_+-]{2,30}:?)$/i),
    isWhole: (query, { name }) => `:${query.toLowerCase()}` === name,
    find: (query) => (names === undefined ? loadAndFind(query) : findByName(names, query)),
  })

async function loadAndFind(query: string): Promise<Suggestion[]> {
  names = await import('./emoji-names.ts')
  return findByName(names, query)
}

const findByName = ({ emojiWithName }: NonNullable<typeof names>, query: string): Suggestion[] =>
  emojiWithName(query.toLowerCase().replace(/:$/, ''), SHOWN).map(({ emoji, name }) => ({
    name: `:${name}:`,
    sign: emoji,
    choose: (view, { from, to }) => view.dispatch(view.state.tr.insertText(emoji, from, to)),
  }))
