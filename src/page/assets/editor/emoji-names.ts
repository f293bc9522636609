/** Emoji by their names. Loaded when it is first needed. */
import emojiByName from 'markdown-it-emoji/lib/data/full.mjs'

export interface NamedEmoji {
  emoji: string
  name: string
}

/** Emoji whose names contain a text. Names that are the text come first, then those that begin with it. */
export function emojiWithName(text: string, count: number): NamedEmoji[] {
  const rank = (name: string) => (name === text ? 0 : name.startsWith(text) ? 1 : 2)
  return Object.entries(emojiByName)
    .filter(([name]) => name.includes(text))
    .map(([name, emoji]) => ({ name, emoji }))
    .sort((one, other) => rank(one.name) - rank(other.name) || one.name.length - other.name.length)
    .filter(({ emoji }, index, all) => all.findIndex((one) => one.emoji === emoji) === index)
    .slice(0, count)
}
