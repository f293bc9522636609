/** Addresses of forms for blocks, as far as the link may use them. */

import type { Effect } from '../../endpoint.ts'
import type { BlockForms } from '../blocks/block-context.ts'
import { addressOf } from '../form-page.ts'
import type { PageCall } from '../page-call.ts'
import type { PageTool } from '../page-tools.ts'
import { awaitsName, GUEST_PATH } from '../pages/guest-page.ts'

/** @param back  the page to return to; the current page by default */
export function blockForms(call: PageCall, back = addressOf(call)): BlockForms {
  const can = (tool: PageTool, effect: Effect) => call.has(tool) && call.may(effect)
  const query = (more: Readonly<Record<string, string>> = {}) => ({ ...more, back })
  return {
    ...(can('tasks_update', 'change') && { task: (id: string) => call.href(`/tasks/${id}/edit`, query()) }),
    ...(awaitsName(call) && { guestName: call.href(GUEST_PATH, { back }) }),
    ...(can('comments_add', 'comment') && { comment: (block: string) => call.href('/comments/new', query({ block })) }),
    ...(can('reminders_add', 'add') && { remind: (block: string) => call.href('/reminders/new', query({ block })) }),
    ...(can('comments_update', 'comment') && call.edits && { confirms: true as const }),
    ...(can('comments_update', 'comment') && {
      // Guests may share a name, so that none of them changes what another wrote.
      ...(!call.request.caller.link.isGuest && {
        ownComment: (id: string, block: string) => call.href(`/comments/${id}/edit`, query({ block })),
      }),
      author: call.request.caller.link.author,
    }),
  }
}
