/**
 * The pages of the web site, from the documents of the repository. Links between documents become links between pages,
 * and links to other files lead to the repository.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Documents outside of `docs` that are pages as well, by their path in the repository. */
const OTHER_DOCUMENTS: Readonly<Record<string, string>> = {
  'SECURITY.md': 'security.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'examples/README.md': 'examples.md',
}

/** The anchor of a heading, as GitHub makes it: the same links work in both. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** The anchors of a page; of headings with the same words, the second one ends with `-1`, as on GitHub. */
export function anchorsOf(text: string): string[] {
  const headings = [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
  return headings.map((anchor, index) => {
    const earlier = headings.slice(0, index).filter((one) => one === anchor).length
    return earlier === 0 ? anchor : `${anchor}-${earlier}`
  })
}

/** A text without blocks of code, and with the words of code in lines. */
const withoutCode = (text: string): string => text.replace(/^ *(`{3,}|~{3,})[\s\S]*?^ *\1 *$/gm, '').replaceAll('`', '')

interface SiteFiles {
  /** Text by path in the site. */
  pages: Map<string, string>
  /** Files that are copied, by path in the site: their path in the repository. */
  assets: Map<string, string>
}

/** @param repository  address of the files of the repository, such as https://github.com/me/it/blob/main */
export function siteFiles(repository: string): SiteFiles {
  const documents = globSync('docs/*.md', { cwd: ROOT }).sort()
  const places = new Map([
    ...documents.map((path) => [path, path === 'docs/README.md' ? 'index.md' : path.slice('docs/'.length)] as const),
    ...Object.entries(OTHER_DOCUMENTS),
  ])
  const assets = new Map(
    globSync('docs/*.{png,svg,json}', { cwd: ROOT }).map((path) => [path.slice('docs/'.length), path]),
  )
  const pages = [...places].map(([path, place]) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    return [
      place,
      text.replace(LINK, (_, start: string, link: string) => `${start}${siteLink(path, link, places, repository)})`),
    ] as const
  })
  return { pages: new Map(pages), assets }
}

/** The beginning of a link or image, and its target. */
const LINK = /(\]\()([^)\s]+)\)/g

function siteLink(from: string, link: string, places: ReadonlyMap<string, string>, repository: string): string {
  if (/^[a-z]+:|^#/.test(link)) return link
  const [path = '', anchor] = link.split('#')
  const target = posix.join(posix.dirname(from), path)
  const place = places.get(target)
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (place !== undefined) return `./${place}${hash}`
  if (/^docs\/[^/]+\.(png|svg|json)$/.test(target)) return `./${target.slice('docs/'.length)}`
  return `${repository}/${target}${hash}`
}
