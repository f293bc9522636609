/** All rules, in the order of the contract. */
import type { RuleGroup } from './rule.ts'
import { authentication, events, versioning } from './rules/authentication.ts'
import { availability } from './rules/availability.ts'
import { blockFields } from './rules/block-fields.ts'
import { blockSearch } from './rules/block-search.ts'
import { blocks } from './rules/blocks.ts'
import { collections } from './rules/collections.ts'
import { comments } from './rules/comments.ts'
import { documentSearch } from './rules/document-search.ts'
import { documents } from './rules/documents.ts'
import { errors } from './rules/errors.ts'
import { folders } from './rules/folders.ts'
import { limits } from './rules/limits.ts'
import { markdown } from './rules/markdown.ts'
import { media } from './rules/media.ts'
import { positions } from './rules/positions.ts'
import { reach } from './rules/reach.ts'
import { reminders } from './rules/reminders.ts'
import { tasks } from './rules/tasks.ts'
import { uploads } from './rules/uploads.ts'
import { views } from './rules/views.ts'
import { whiteboards } from './rules/whiteboards.ts'

export const GROUPS: readonly RuleGroup[] = [
  ...[reach, blockFields, media, markdown],
  ...[availability, positions, blocks, blockSearch, collections, views, comments],
  ...[documents, documentSearch, reminders, folders, tasks, uploads, whiteboards],
  ...[authentication, events, errors, limits, versioning],
]
