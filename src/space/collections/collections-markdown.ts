/** Formats a list of collections as Markdown: one line each, with the facts that are needed for calls on its items. */
import { formatCount } from '../../base/format-number.ts'
import { formatMarkdownList, idAndTitle, inBrackets, type MarkdownAnswer } from '../model/markdown-answer.ts'
import type { CollectionAnswer, CollectionList } from './list-collections.ts'
import { describeDone, type PropertyAnswer } from './schema/schema-answer.ts'

export const collectionsToMarkdown = ({ items, pagination }: CollectionList): Promise<MarkdownAnswer> =>
  formatMarkdownList(items, (collection) => ({ lines: [formatCollection(collection)] }), {
    emptyText: 'No collections.',
    pagination,
  })

/** `ID Deals (3 items, document ID): price number (currency EUR), stage singleSelect (Open, Won)` */
function formatCollection({ id, name, itemCount, documentId, dailyNoteDate, schema }: CollectionAnswer): string {
  const place = documentId === undefined ? dailyNoteDate : `document ${documentId}`
  const details = inBrackets([formatCount(itemCount, 'item'), place])
  const properties = schema.properties.map(formatProperty)
  return [idAndTitle(id, name) + details, properties.join(', ')].filter((one) => one !== '').join(': ')
}

function formatProperty({ key, name, type, config, options, targetCollectionId }: PropertyAnswer): string {
  const parts = [key]
  // Most keys are just the name in lower case, with underscores for spaces.
  if (name.toLowerCase().replaceAll(' ', '_') !== key) parts.push(JSON.stringify(name))
  parts.push(type)
  if (targetCollectionId !== undefined) parts.push(`to ${targetCollectionId}`)
  const { dependsOn, ...settings } = config ?? {}
  if (dependsOn !== undefined) parts.push(`(dependsOn, done: ${describeDone(dependsOn.done)})`)
  const choices = options?.map((option) => quoteSeparators(option.name)) ?? Object.values(settings)
  if (choices.length > 0) parts.push(`(${choices.join(', ')})`)
  return parts.join(' ')
}

/** Quotes a name that contains separators, so that its end is clear. */
const quoteSeparators = (name: string): string => (/[,()"\n]/.test(name) ? JSON.stringify(name) : name)
