/** Folders, and documents in them, for rules about documents, their search and folders. */
import { one, type RuleContext } from '../rule-context.ts'

/** The documents that a query lists. */
export const list = async (at: RuleContext, query: object = {}) =>
  (await at.done('documents_list', { limit: 20_000, ...query })).items
export const addFolder = async (at: RuleContext, name: string, more: object = {}) =>
  one((await at.done('folders_add', { folders: [{ name, ...more }] })).items).id
/** A document in a folder. */
export const inFolder = async (at: RuleContext, folderId: string, title = 'in a folder') => {
  const documents = [{ title }]
  return one((await at.done('documents_add', { documents, destination: { folderId } })).items).id
}
