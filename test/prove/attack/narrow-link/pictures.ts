/** Content that takes long to render, for which others would have to wait. */
import { Browser } from '../../../auth/issuer/browser.ts'
import type { Attack } from '../attack.ts'
import { type Connection, enter } from '../connection-methods.ts'
import type { AttackedServer } from '../server.ts'

/** Requests of the attacker at the same time: more than a server has connections to its database. */
const AT_ONCE = 20
/** How many of them may have been answered when the request of another is. */
const FEW = AT_ONCE / 3

const POINTS = Array.from({ length: 100 }, (_, index) => [500 * Math.sin(index * 7), 500 * Math.cos(index * 3)])
const STROKES = Array.from({ length: 10 }, (_, index) => ({
  ...{ id: `s${index}`, type: 'freedraw', x: index, y: index, points: POINTS, strokeWidth: 20 },
}))
/** A formula that takes some hundredths of a second. */
const FORMULA = `\`\`\`math\n\\ce{${'('.repeat(3_900)}}\n\`\`\``

/** Makes all requests of the attacker at once, and then one of another link. @returns what is wrong */
async function heldUp(attacker: () => Promise<unknown>, other: () => Promise<unknown>, what: string) {
  let count = 0
  const first = Promise.withResolvers<void>()
  const asked = Array.from({ length: AT_ONCE }, async () => {
    await attacker()
    count++
    first.resolve()
  })
  // From then on the others are on their way.
  await first.promise
  await other()
  const faults = count <= FEW ? [] : [`${count} of ${AT_ONCE} ${what} came before the request of another link`]
  await Promise.all(asked)
  return faults
}

async function pageWithBoard(server: AttackedServer, { call }: Connection): Promise<string> {
  const pageId = await server.document('Board')
  const added = await call('whiteboards_add', { position: { position: 'end', pageId } })
  await call('elements_add', { whiteboardBlockId: added.object.whiteboardBlockId, elements: STROKES })
  return pageId
}

const [reads, writes] = (['reads', 'writes'] as const).map(
  (what): Attack => ({
    finding: 29,
    name: `pictures of a slow board, for which ${what} of others wait`,
    async attempt(world) {
      const server = await world.serve()
      const full = await enter(server, 'link', { kind: 'full' })
      const reader = await enter(server, 'link', { access: 'read' })
      try {
        const id = await pageWithBoard(server, full)
        const other = await server.document('Other')
        const write = { markdown: 'words', position: { position: 'end', pageId: other } }
        // The past is read in a transaction that could write.
        const past = what === 'writes' ? { at: '2999-01-01T00:00:00Z' } : {}
        return await heldUp(
          () => reader.call('blocks_get', { id, images: true, ...past }),
          () => (what === 'writes' ? server.done('POST /blocks', write) : server.done(`GET /blocks?id=${other}`)),
          'pictures',
        )
      } finally {
        await full.close()
        await reader.close()
        await server.close('SIGKILL')
      }
    },
  }),
) as [Attack, Attack]

export { reads, writes }

/** Opens the pages with a link of its own. @returns a function that reads a document */
async function openPages(server: AttackedServer): Promise<(id: string) => Promise<unknown>> {
  const browser = new Browser()
  const { url } = await browser.open((await server.link({ access: 'read' })).restUrl.replace('/api/v1', '/view'))
  const base = `${new URL(url).origin}${new URL(url).pathname.split('/').slice(0, 3).join('/')}`
  return (id) => browser.open(`${base}/d/${id}`)
}

export const formulas: Attack = {
  finding: 29,
  name: 'a page of slow formulas that is read many times at once, for which pages of others wait',
  async attempt(world) {
    const server = await world.serve()
    try {
      const slow = await server.document('Slow', Array.from({ length: 10 }, () => FORMULA).join('\n\n'))
      const other = await server.document('Other', 'Some $x^2$')
      const [attacker, visitor] = [await openPages(server), await openPages(server)]
      return await heldUp(
        () => attacker(slow),
        () => visitor(other),
        'pages',
      )
    } finally {
      await server.close('SIGKILL')
    }
  },
}
