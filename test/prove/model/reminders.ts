/** The model of the tools for reminders and comments. */
import { moment } from './days.ts'
import { Id } from './ids.ts'
import { plain } from './texts.ts'
import { acceptsTag } from './tree.ts'
import { type Block, type Comment, invalid, type Json, missing, type Reminder, type World } from './world.ts'

const timeOf = (given: string | null | undefined): number | undefined => {
  if (given === undefined || given === null) return undefined
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(time)) throw invalid()
  return time
}

export function addReminders(
  world: World,
  { reminders }: { reminders: { blockId: string; remindAt?: string | null }[] },
) {
  if (reminders.length === 0) throw invalid()
  const times = reminders.map(({ remindAt }) => timeOf(remindAt))
  const blocks = world.blocksOf(reminders.map(({ blockId }) => blockId))
  if (blocks.length < reminders.length || times.some((time) => time !== undefined && time <= world.now)) throw invalid()
  return { items: blocks.map((block, index) => showReminder(setReminder(world, block, times[index]))) }
}

/** Adds a reminder, which replaces the one that the block has. */
function setReminder(world: World, block: Block, remindAt: number | undefined): Reminder {
  const before = world.reminderList.find((one) => one.block === block)
  if (before !== undefined) drop(world, before)
  const reminder: Reminder = {
    ...{ id: new Id((id) => world.reminders.set(id, reminder)), block, remindAt, completedAt: undefined },
    createdAt: world.now,
  }
  world.journal.insert(world.reminderList, world.reminderList.length, reminder)
  world.journal.onUndo(() => world.reminders.delete(reminder.id.value ?? ''))
  return reminder
}

function drop(world: World, reminder: Reminder): void {
  world.journal.remove(world.reminderList, reminder)
  world.drop(world.reminders, reminder)
}

interface Update {
  id: string
  remindAt?: string | null
  isCompleted?: boolean
}

export function updateReminders(world: World, { remindersToUpdate: updates }: { remindersToUpdate: Update[] }): object {
  const isEmpty = updates.some(({ remindAt, isCompleted }) => remindAt === undefined && isCompleted === undefined)
  if (updates.length === 0 || isEmpty) throw invalid()
  for (const { remindAt } of updates) timeOf(remindAt)
  if (new Set(updates.map(({ id }) => id)).size < updates.length) throw invalid()
  const items = updates.map(({ id, remindAt, isCompleted }) => {
    const reminder = find(world, id)
    const time = timeOf(remindAt)
    const isChanged = remindAt !== undefined && time !== reminder.remindAt
    if (isChanged && time !== undefined && time <= world.now) throw invalid()
    if (isChanged) world.journal.set(reminder, 'remindAt', time)
    if (isCompleted === true) world.journal.set(reminder, 'completedAt', reminder.completedAt ?? world.now)
    else if (isCompleted === false || isChanged) world.journal.set(reminder, 'completedAt', undefined)
    return reminder
  })
  return { items: items.map(showReminder) }
}

export function deleteReminders(world: World, { idsToDelete }: { idsToDelete: string[] }): object {
  if (idsToDelete.length === 0) throw invalid()
  const ids = [...new Set(idsToDelete)]
  for (const id of ids) drop(world, find(world, id))
  return { items: ids }
}

function find(world: World, id: string): Reminder {
  const found = world.reminders.get(id)
  if (found === undefined) throw missing()
  return found
}

function showReminder({ id, block, remindAt, completedAt }: Reminder): Json {
  const isMarked = block.type !== 'code' && block.type !== 'table'
  return {
    ...{ id, blockId: block.id, isCompleted: completedAt !== undefined },
    title: (isMarked ? plain(block.text) : block.text).replace(/\s+/g, ' ').trim(),
    remindAt: remindAt === undefined ? undefined : moment(remindAt),
    completedAt: completedAt === undefined ? undefined : moment(completedAt),
  }
}

/** The response of reminders_list for a status. */
export function listReminders({ reminderList, now }: World, status: string): Json[] {
  const isOpen = ({ completedAt }: Reminder) => completedAt === undefined
  const isAhead = ({ remindAt }: Reminder) => remindAt === undefined || remindAt > now
  const found = reminderList.filter((one) => {
    if (status === 'completed') return !isOpen(one)
    if (status === 'incomplete') return isOpen(one)
    return status === 'all' || (isOpen(one) && isAhead(one))
  })
  // Those of the same time stand in the order in which they were added.
  return found.toSorted((one, other) => one.createdAt - other.createdAt).map(showReminder)
}

export function addComments(world: World, { comments }: { comments: { blockId: string; content: string }[] }): object {
  if (comments.length === 0 || comments.some(({ content }) => content === '')) throw invalid()
  world.blocksOf(comments.map(({ blockId }) => blockId))
  const items = comments.map(({ blockId, content }) => {
    const block = world.block(blockId)
    const comment: Comment = {
      id: new Id((id) => world.comments.set(id, comment)),
      block,
      author: world.author,
      content,
    }
    world.journal.insert(block.comments, block.comments.length, comment)
    world.journal.onUndo(() => world.comments.delete(comment.id.value ?? ''))
    if (acceptsTag(block)) world.journal.set(block, 'isTagged', true)
    world.touch(block)
    return { commentId: comment.id }
  })
  return { commentId: items[0]?.commentId, items }
}

interface CommentUpdate {
  commentId: string
  content?: string
  resolved?: boolean
  delete?: boolean
}

export function updateComments(world: World, { comments: updates }: { comments: CommentUpdate[] }): object {
  const isWrong = ({ content, resolved, delete: isDeleted = false }: CommentUpdate) =>
    content === '' || isDeleted === (content !== undefined || resolved !== undefined)
  if (updates.length === 0 || updates.some(isWrong)) throw invalid()
  if (new Set(updates.map(({ commentId }) => commentId)).size < updates.length) throw invalid()
  const found = updates.map((update) => ({ update, comment: findComment(world, update.commentId) }))
  const isNewText = ({ update: { content }, comment }: (typeof found)[number]) =>
    content !== undefined && content !== comment.content
  for (const one of found) {
    if ((one.update.delete || isNewText(one)) && one.comment.author !== world.author) throw invalid()
  }
  for (const { update, comment } of found) {
    const { block } = comment
    if (update.delete) {
      world.journal.remove(block.comments, comment)
      if (block.comments.length === 0) world.journal.set(block, 'isTagged', false)
    } else {
      if (update.content !== undefined) world.journal.set(comment, 'content', update.content)
      if (update.resolved === false) world.journal.set(comment, 'resolvedBy', undefined)
      if (update.resolved) world.journal.set(comment, 'resolvedBy', comment.resolvedBy ?? world.author)
    }
    world.touch(block)
  }
  return { items: found.map(({ comment }) => ({ commentId: comment.id, blockId: comment.block.id })) }
}

function findComment(world: World, id: string): Comment {
  const found = world.comments.get(id)
  if (found === undefined || found.block.isGone || !found.block.comments.includes(found)) throw missing()
  return found
}
