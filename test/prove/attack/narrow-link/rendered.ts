/** Content that becomes very large when a page shows it. Reading the page is enough, so each reader is hit. */
import { Browser } from '../../../auth/issuer/browser.ts'
import type { Attack } from '../attack.ts'
import { enter } from '../connection-methods.ts'
import type { AttackedServer } from '../server.ts'

/** Characters that a page or a picture may have. Without limits, those here have at least fifty million. */
const MOST = 5_000_000

/** 2.8 KB that become 9.5 MB of MathML. */
const FORMULA = `\\def\\a{${'x'.repeat(1_900)}}${'\\a'.repeat(450)}`
const FORMULAS = 10

/** Content, where the pages show it, and a text that its page must have. */
interface Shown {
  what: string
  path(base: string): string
  text: string
}

/** Reads an address of the pages, and describes what is wrong with it. */
async function faultsOf(server: AttackedServer, { what, path, text }: Shown): Promise<string[]> {
  const browser = new Browser()
  const { url } = await browser.open((await server.link()).restUrl.replace('/api/v1', '/view'))
  const base = `${new URL(url).origin}${new URL(url).pathname.split('/').slice(0, 3).join('/')}`
  const html = await browser.open(path(base)).then(
    (seen) => seen.html,
    () => '',
  )
  if (!server.isRunning) return [`${what} ended the server`]
  if (!html.includes(text)) return [`${what} cannot be shown`]
  return html.length > MOST ? [`${what} became ${html.length.toLocaleString('en-US')} characters`] : []
}

export const formulas: Attack = {
  finding: 25,
  name: 'formulas whose macros expand to a hundred megabytes',
  async attempt(world) {
    const server = await world.serve()
    try {
      const block = `\`\`\`math\n${FORMULA}\n\`\`\``
      const id = await server.document('Formulas', Array.from({ length: FORMULAS }, () => block).join('\n\n'))
      return await faultsOf(server, {
        what: `${FORMULAS} formulas`,
        path: (base) => `${base}/d/${id}`,
        text: `<code>\\def\\a{x`,
      })
    } finally {
      await server.close('SIGKILL')
    }
  },
}

export const outlines: Attack = {
  finding: 25,
  name: 'a board whose picture has a hundred megabytes',
  async attempt(world) {
    const server = await world.serve()
    const { call, close } = await enter(server, 'link', { kind: 'full' })
    try {
      const pageId = await server.document('Board')
      const added = await call('whiteboards_add', { position: { position: 'end', pageId } })
      const { whiteboardBlockId } = added.object
      const elements = Array.from({ length: 80 }, (_, index) => ({
        ...{ id: `t${index}`, type: 'text', x: 0, y: index * 20, text: 'ab cd '.repeat(200) },
      }))
      await call('elements_add', { whiteboardBlockId, elements })
      return await faultsOf(server, {
        what: 'a board',
        path: (base) => `${base}/whiteboards/${whiteboardBlockId}/picture.svg`,
        text: '</svg>',
      })
    } finally {
      await close()
      await server.close('SIGKILL')
    }
  },
}
