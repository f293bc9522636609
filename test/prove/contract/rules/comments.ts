/** Rules about comments and about what a connection says of itself. */

import type { RuleGroup } from '../rule.ts'
import { has, one, reads, same } from '../rule-context.ts'

export const comments: RuleGroup = {
  title: 'comments',
  rules: [
    {
      statement: 'POST /comments adds comments to blocks, and answers with a commentId.',
      async check(at) {
        const { page, ids } = await at.made('one\n\ntwo')
        const comments = ids.map((blockId) => ({ blockId, content: `on ${blockId}` }))
        const { commentId } = await at.done('comments_add', { comments })
        const { content } = await at.read(page, { fetchMetadata: true })
        same(
          content.map(({ metadata }) => one(metadata.comments).content as unknown),
          comments.map(({ content }) => content),
        )
        same(one(content[0]?.metadata.comments ?? []).id, commentId)
      },
    },
    {
      statement: 'GET /connection answers with the space: its ID, name and time zone.',
      async check(at) {
        has((await at.done('connection_get')).space, { name: 'Contract', timezone: 'Europe/Budapest' })
        reads((await at.done('connection_get')).space.id, /./)
      },
    },
    {
      statement: 'GET /connection answers with the current time, in the time zone and in UTC.',
      async check(at) {
        const { space, utc } = await at.done('connection_get')
        same(new Date(String(utc.time)).getTime(), at.world.clock.now)
        reads(space.time, /10:00/)
        reads(space.friendlyDate, /November 20, 2026/)
      },
    },
    {
      statement: 'GET /connection answers with templates of links.',
      async check(at) {
        const { urlTemplates } = await at.done('connection_get')
        reads(urlTemplates.app, /:\/\/open\?spaceId=[^&]+&.*=\{\w+\}/)
        reads(urlTemplates.web, /^http.*\{documentId\}/)
      },
    },
  ],
}
