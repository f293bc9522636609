/** Rules about errors. */

import { REST, type RuleGroup } from '../rule.ts'
import { has, inPage, one, reads, same } from '../rule-context.ts'

export const errors: RuleGroup = {
  title: 'errors',
  rules: [
    {
      statement: 'An error has one form: a sentence, a code, and where there are several faults, their paths.',
      async check(at) {
        const page = await at.page()
        const blocks = [
          { type: 'text', markdown: 'a', color: 'red' },
          { type: 'text', markdown: 'b', listStyle: 'star' },
        ]
        const answer = await at.call('blocks_add', { blocks, position: inPage(page) })
        same([answer.isRefused, answer.code], [true, 'VALIDATION_ERROR'])
        reads(answer.error, /^At blocks\[0\]\.color: Expected .*found/)
        if (!at.isRest) return
        has(answer.body, {
          code: 'VALIDATION_ERROR',
          details: [{ path: 'blocks[0].color' }, { path: 'blocks[1].listStyle' }],
        })
      },
    },
    {
      statement: 'The same fault has the same sentence over all transports.',
      async check(at) {
        const overRest = at.world.connections.find(({ kind, transport }) => kind === at.kind && transport === 'REST')
        for (const args of [{ id: '999999999999' }, { id: '999999999999', maxDepth: -5 }, { id: 'none', depths: 1 }]) {
          const { isRefused, error } = await at.call('blocks_get', args)
          same([isRefused, error], [true, (await overRest?.send('blocks_get', args))?.error])
        }
      },
    },
    {
      statement: 'What lies outside the reach of a connection is answered as what does not exist.',
      kinds: ['selected', 'daily'],
      async check(at) {
        const none = '999999999999'
        for (const [tool, args] of [
          ['blocks_get', (id: string) => ({ id })],
          ['blocks_delete', (id: string) => ({ blockIds: [id] })],
          ['blocks_add', (id: string) => ({ markdown: 'a', position: inPage(id) })],
        ] as const) {
          const outside = await at.refused(tool, args(at.world.hidden), 'NOT_FOUND_ERROR')
          same(outside.replaceAll(at.world.hidden, none), await at.refused(tool, args(none), 'NOT_FOUND_ERROR'))
        }
      },
    },
    {
      statement: 'A method that a path does not have is refused with 405, and a path that there is not with 404.',
      over: REST,
      async check(at) {
        const wrong = await at.rest('PATCH', '/blocks')
        same([wrong.status, wrong.code], [405, 'METHOD_NOT_ALLOWED'])
        same((await at.rest('GET', '/nothing')).status, 404)
      },
    },
    {
      statement: 'A body of a type that the endpoint does not take is refused with 415.',
      over: REST,
      async check(at) {
        const answer = await at.rest('POST', '/comments', { 'content-type': 'application/xml' }, '<a/>')
        same([answer.status, answer.code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
      },
    },
    {
      statement: 'A link that may only read writes nothing, and is refused with 403.',
      async check(at) {
        await at.readOnly(async (context) => {
          const page = await at.page()
          await context.refused('blocks_add', { markdown: 'a', position: inPage(page) }, 'FORBIDDEN')
          same((await at.read(page)).content.length, 0)
          same((await context.read(page)).id, page)
        })
      },
    },
    {
      statement: 'A key that a request does not have is refused with the nearest one.',
      async check(at) {
        const { page, id } = await at.madeBlock('words')
        reads(await at.refused('blocks_update', { blocks: [{ id, colour: '#ff8800' }] }), /color/)
        same(one((await at.read(page)).content).color, undefined)
      },
    },
    {
      statement: 'Nothing of a refused request is written.',
      async check(at) {
        const { page, id } = await at.madeBlock('words')
        const blocks = [
          { id, markdown: 'changed' },
          { id: '999999999999', markdown: 'none' },
        ]
        await at.refused('blocks_update', { blocks }, 'NOT_FOUND_ERROR')
        await at.refused('blocks_delete', { blockIds: [id, '999999999999'] }, 'NOT_FOUND_ERROR')
        same(
          (await at.read(page)).content.map(({ markdown }) => markdown),
          ['words'],
        )
      },
    },
    {
      statement: 'Status codes other than 200 and 429.',
      cannot:
        'The contract says that it does not show them. Every check of a refusal compares code and status with the table of our own.',
    },
  ],
}
