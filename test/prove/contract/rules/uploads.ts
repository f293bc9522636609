/** Rules about uploads. */

import { FULL_AND_DAILY, REST, type RuleGroup, SELECTED } from '../rule.ts'
import { beside, has, idsOf, inPage, type RuleContext, reads, same } from '../rule-context.ts'

const upload = (at: RuleContext, query: Record<string, string>, type = 'text/plain', body = 'bytes') =>
  at.rest('POST', `/upload?${new URLSearchParams(query)}`, { 'content-type': type }, body)

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'
/** Media types, the beginning of a file of each, and the type of its block. */
const FILES = [
  ['image/svg+xml', SVG, 'image'],
  ['video/mp4', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'video'],
  ['text/csv', 'a,b', 'file'],
] as const

export const uploads: RuleGroup = {
  title: 'upload',
  rules: [
    {
      statement: 'The body is the file, and its Content-Type determines the type of the block.',
      over: REST,
      async check(at) {
        const pageId = await at.page()
        for (const [type, bytes, block] of FILES) {
          const { status, body } = await upload(at, { position: 'end', pageId }, type, bytes)
          same(status, 200)
          has(await at.read(body.blockId), { type: block })
        }
      },
    },
    {
      statement: 'Content-Type may be application/octet-stream.',
      over: REST,
      async check(at) {
        const { status, body } = await upload(
          at,
          { position: 'end', pageId: await at.page() },
          'application/octet-stream',
          '\u0001\u0002',
        )
        same(status, 200)
        has(await at.read(body.blockId), { type: 'file' })
      },
    },
    {
      statement: 'position start and end, with pageId, are places in a page.',
      async check(at) {
        const { page, id } = await at.madeBlock('middle')
        const last = (await at.done('files_add', { text: 'a', position: inPage(page) })).blockId
        const first = (await at.done('files_add', { text: 'b', position: inPage(page, 'start') })).blockId
        same(idsOf((await at.read(page)).content), [first, id, last])
      },
    },
    {
      statement: 'position before and after, with siblingId, are places beside a block.',
      async check(at) {
        const { page, id } = await at.madeBlock('middle')
        const before = (await at.done('files_add', { text: 'a', position: beside(id, 'before') })).blockId
        const after = (await at.done('files_add', { text: 'b', position: beside(id) })).blockId
        same(idsOf((await at.read(page)).content), [before, id, after])
      },
    },
    {
      statement: 'date, with start or end, is a place in a daily note.',
      kinds: FULL_AND_DAILY,
      async check(at) {
        for (const date of ['today', '2026-11-02']) {
          const { blockId, dailyNoteDate } = await at.done('files_add', {
            text: 'a',
            position: { position: 'end', date },
          })
          same((await at.done('blocks_get', { date })).content.at(-1)?.id, blockId)
          if (dailyNoteDate !== undefined) same(dailyNoteDate, date === 'today' ? '2026-11-20' : date)
        }
      },
    },
    {
      statement: 'A date is no place.',
      kinds: SELECTED,
      async check(at) {
        await at.refused('files_add', { text: 'a', position: { position: 'end', date: 'today' } })
      },
    },
    {
      statement: 'position is required.',
      kinds: ['full', 'selected'],
      over: REST,
      async check(at) {
        const { page, id } = await at.madeBlock('middle')
        for (const query of [{}, { pageId: page }, { siblingId: id }]) same((await upload(at, query)).status, 400)
        same((await at.read(page)).content.length, 1)
      },
    },
    {
      statement: 'A target is required: pageId, siblingId or, except on selected connections, date.',
      kinds: ['full', 'selected'],
      over: REST,
      async check(at) {
        for (const position of ['start', 'end', 'before', 'after']) same((await upload(at, { position })).status, 400)
      },
    },
    {
      statement: 'Without position and target, a file goes to the end of today.',
      kinds: ['daily'],
      over: REST,
      async check(at) {
        const { status, body } = await upload(at, {})
        same(status, 200)
        same((await at.done('blocks_get', { date: 'today' })).content.at(-1)?.id, body.blockId)
      },
    },
    {
      statement: 'siblingId is required with before and after.',
      over: REST,
      async check(at) {
        const pageId = await at.page()
        for (const position of ['before', 'after']) same((await upload(at, { position, pageId })).status, 400)
      },
    },
    {
      statement: 'fileName is the title of a file.',
      async check(at) {
        const position = inPage(await at.page())
        const named = await at.done('files_add', { text: 'a', position, fileName: 'report.txt' })
        has(await at.read(named.blockId), { type: 'file', fileName: 'report.txt' })
        // An empty one is no name: it is refused or the same as none.
        const { isRefused, body } = await at.call('files_add', { text: 'a', position, fileName: '' })
        if (!isRefused) same((await at.read(body.blockId)).fileName, undefined)
      },
    },
    {
      statement: 'Without fileName, a file has no title.',
      over: REST,
      async check(at) {
        const { body } = await upload(at, { position: 'end', pageId: await at.page() })
        const block = await at.read(body.blockId)
        same([block.type, block.fileName], ['file', undefined])
      },
    },
    {
      statement: 'fileName does not change the type, and is ignored for images and videos.',
      over: REST,
      async check(at) {
        const query = { position: 'end', pageId: await at.page(), fileName: 'a.txt' }
        const block = await at.read((await upload(at, query, 'image/svg+xml', SVG)).body.blockId)
        same([block.type, block.fileName], ['image', undefined])
      },
    },
    {
      statement: 'The answer is the blockId and the assetUrl, which serves the bytes.',
      async check(at) {
        const { blockId, assetUrl } = await at.done('files_add', {
          text: 'the bytes',
          position: inPage(await at.page()),
        })
        same((await at.read(blockId)).url, assetUrl)
        reads(assetUrl, /\/files\//)
      },
    },
    { statement: 'How large an upload and a body may be.', cannot: 'The contract says that it does not show it.' },
  ],
}
