/** Texts, names, links and files that would run or load something if a page treated them as more than text. */
import type { Browser, Page } from 'playwright-core'
import { type Program, program } from '../../page/sample-space.ts'
import { type ProofContext, type ProofResult, times } from '../proof.ts'
import { appViews } from './apps.ts'
import { type PageServer, startPageServer, visit } from './page-server.ts'

const ELSEWHERE = 'https://elsewhere.example'
/** The code that each of them executes if it runs. */
const RUN = 'globalThis.ran=1'

const HOSTILE: readonly string[] = [
  `<script>${RUN}</script>`,
  `"><script>${RUN}</script>`,
  `'><img src=x onerror="${RUN}">`,
  `<img src="${ELSEWHERE}/pixel.png">`,
  `<svg onload="${RUN}"><animate onbegin="${RUN}" attributeName=x></svg>`,
  `</title></textarea></style><script>${RUN}</script>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<base href="${ELSEWHERE}/"><a href="x">`,
  `<meta http-equiv="refresh" content="0;url=${ELSEWHERE}">`,
  `<form action="${ELSEWHERE}"><input name=token><button>Undo</button></form>`,
  `<style>@import "${ELSEWHERE}/a.css"; * { background: url(${ELSEWHERE}/b) }</style>`,
  `<div hx-get="${ELSEWHERE}" hx-trigger="load" hx-on:load="${RUN}">`,
  `[run](javascript:${RUN})`,
  `[run](  JaVaScRiPt&#58;${RUN})`,
  `[run](data:text/html,<script>${RUN}</script>)`,
  `![](${ELSEWHERE}/picture.png)`,
  `<${ELSEWHERE}/auto>`,
  `$\\href{javascript:${RUN}}{x} \\includegraphics{${ELSEWHERE}/p.png} \\style{background:url(${ELSEWHERE})}{x}$`,
  `$$\n\\text{</math><img src=x onerror=${RUN}>}\n$$`,
  `\`\`\`"><script>${RUN}</script>\n</code><script>${RUN}</script>\n\`\`\``,
  `<callout color="red;background:url(${ELSEWHERE})">x</callout>`,
  `==<b onclick=${RUN}>== **<i>** ~~<s>~~`,
  '\u202Egnp.exe\u202C \uFEFF {{constructor.constructor("return 1")()}} #{1}',
]

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script><image href="${ELSEWHERE}/i.png"/><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="${ELSEWHERE}"/></foreignObject></svg>`
const HTML = `<!doctype html><script>${RUN}; fetch('${ELSEWHERE}')</script>`

/**
 * Writes hostile texts everywhere that agents and people can write names and texts.
 *
 * @returns the number of calls that the space accepted
 */
async function plant({ space }: PageServer): Promise<number> {
  let planted = 0
  for (const [index, words] of HOSTILE.entries()) {
    const agent = program(space, words.slice(0, 60), { author: words.slice(0, 60) })
    const attempt = async (tool: Parameters<Program>[0], args: object) => {
      try {
        const answer = await agent(tool, args)
        planted += 1
        return answer
      } catch {
        // If the space refuses it, no page can show it.
        return undefined
      }
    }
    const title = words.slice(0, 200)
    await attempt('folders_add', { folders: [{ name: title.slice(0, 80) }] })
    const added = await attempt('documents_add', { documents: [{ title, markdown: `${words}\n\n- [ ] ${words}` }] })
    const pageId = added?.items[0].id
    if (pageId === undefined) continue
    const position = { position: 'end', pageId }
    await attempt('blocks_add', { markdown: `<page><pageTitle>${words}</pageTitle></page>`, position })
    await attempt('blocks_add', { blocks: [{ type: 'code', rawCode: words, language: 'html' }], position })
    await attempt('blocks_add', { blocks: [{ type: 'richUrl', url: `${ELSEWHERE}/${index}`, title: words }], position })
    await attempt('blocks_add', { blocks: [{ type: 'image', url: `${ELSEWHERE}/i.png`, altText: words }], position })
    await attempt('comments_add', { comments: [{ blockId: pageId, content: words }] })
    const fileName = title.replace(/[/\p{C}]/gu, '')
    const files = [
      { data: SVG, mimeType: 'image/svg+xml', fileName: `${fileName}.svg` },
      { data: HTML, mimeType: 'text/html', fileName: `${fileName}.html` },
    ]
    for (const { data, ...file } of index < 3 ? files : files.slice(0, 1)) {
      await attempt('files_add', { ...file, data: Buffer.from(data).toString('base64'), position })
    }
    const name = title.slice(0, 50)
    const properties = [
      { type: 'singleSelect', name, options: [{ name }] },
      { type: 'url', name: `url ${name}` },
    ]
    const made = await attempt('collections_add', { schema: { name, properties }, position })
    if (made !== undefined) {
      const collectionId = made.collectionBlockId
      await attempt('items_add', { collectionId, items: [{ title, properties: {} }], allowNewSelectOptions: true })
      await attempt('views_add', { collectionId, view: { name, type: 'table' } })
    }
    const board = await attempt('whiteboards_add', { position })
    if (board !== undefined) {
      const elements = [{ id: 'a', type: 'rectangle', x: 0, y: 0, link: ELSEWHERE, label: { text: words } }]
      await attempt('elements_add', { whiteboardBlockId: board.whiteboardBlockId, elements })
    }
    const proposer = program(space, `${index}${words}`.slice(0, 60), { access: 'propose', author: words.slice(0, 60) })
    await proposer('documents_add', { documents: [{ title, markdown: words }] }).catch(() => {})
  }
  return planted
}

/** Runs before any script of a page, and records what the browser refuses to load or run. */
const NOTE_REFUSALS = `
  globalThis.refusals = []
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    globalThis.refusals.push(violatedDirective + ' ' + blockedURI)
  })`

interface Watched {
  page: Page
  faults: string[]
}

function watch(page: Page, origin: string, faults: string[]): void {
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob|about):/.test(url)) faults.push(`${page.url()} asked ${url}`)
  })
  page.on('dialog', (dialog) => {
    faults.push(`${page.url()} opened a dialog`)
    void dialog.dismiss()
  })
  page.on('pageerror', ({ message }) => faults.push(`${page.url()}: ${message}`))
  page.on('popup', (popup) => faults.push(`${page.url()} opened ${popup.url()}`))
}

async function inspect({ page, faults }: Watched): Promise<void> {
  const refusals = (await page.evaluate('globalThis.refusals ?? []')) as string[]
  for (const refusal of new Set(refusals)) faults.push(`${page.url()}: the policy of the page refused ${refusal}`)
  if (await page.evaluate('globalThis.ran === 1')) faults.push(`${page.url()}: something ran`)
}

/** @param spoil  changes the HTML of each page in transit; the page's policy is removed too */
export async function hostile(
  browser: Browser,
  proofContext: ProofContext,
  spoil?: (body: string) => string,
): Promise<ProofResult> {
  const office = await startPageServer(proofContext.folder, spoil === undefined ? 'hostile' : 'hostile-spoilt')
  const faults: string[] = []
  const planted = await plant(office)
  const { context, page, base } = await visit(browser, office.entry())
  await context.addInitScript(NOTE_REFUSALS)
  watch(page, office.origin, faults)
  if (spoil !== undefined) {
    await page.route(`${base}/**`, async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch()
      const headers = { ...response.headers(), 'content-security-policy': '' }
      await route.fulfill({ response, headers, body: spoil(await response.text()) })
    })
  }
  try {
    const paths = await pathsOf(office, times(proofContext, 6, 1))
    const visited = spoil === undefined ? paths : paths.slice(0, 1)
    for (const path of visited) {
      // A download is not a page.
      await page.goto(`${base}${path}`).catch(({ message }: Error) => {
        if (!/Download is starting|ERR_ABORTED/.test(message)) throw new Error(message)
      })
      await inspect({ page, faults })
    }
    if (spoil === undefined) {
      const shown = await appViews(browser, office, proofContext, {
        'hostile-history': { name: 'history_list' },
        'hostile-waiting': { name: 'proposals_list' },
      })
      faults.push(...shown.faults)
    }
    proofContext.log('hostile words were looked at')
    return { figures: { 'hostile words and names': planted, 'pages with them': visited.length }, faults }
  } finally {
    await context.close()
    await office.close()
  }
}

/**
 * The paths of all pages that show some of the hostile texts.
 *
 * @param step  every `step`th document also has the pages of its contents visited separately; the document's own page
 * shows the contents too
 */
async function pathsOf({ space }: PageServer, step: number): Promise<string[]> {
  const agent = program(space, 'editor')
  const { items } = await agent('documents_list', { orderBy: 'modified', limit: HOSTILE.length })
  const documents = items.map(({ id }: { id: string }) => id)
  const inside: string[] = []
  for (const id of documents.filter((_: string, index: number) => index % step === 0)) {
    const { content } = await agent('blocks_get', { id })
    for (const block of content ?? []) {
      if (block.type === 'collection') inside.push(`/collections/${block.id}`)
      if (block.type === 'whiteboard') inside.push(`/whiteboards/${block.id}`, `/whiteboards/${block.id}/picture.svg`)
      if (block.type === 'page') inside.push(`/d/${block.id}`)
      const file = /\/files\/(\w+)/.exec(`${block.url ?? ''}`)?.[1]
      if (file !== undefined) inside.push(`/files/${file}`)
    }
  }
  const lists = [
    '/',
    '/unsorted',
    '/trash',
    '/now',
    '/waiting',
    '/tasks',
    '/collections',
    '/search?q=run',
    '/links/new',
  ]
  const histories = documents.slice(0, 3).map((id: string) => `/d/${id}/history`)
  return [...lists, ...documents.map((id: string) => `/d/${id}`), ...histories, ...new Set(inside)]
}
