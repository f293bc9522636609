/** The CHANGELOG, in the form of https://keepachangelog.com/en/1.1.0/: what a release does with it, and what it must look like. */

export const UNRELEASED = '## [Unreleased]\n'
/** Kinds of changes, in their order. */
export const CHANGE_KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

/**
 * Moves the unreleased changes under a version and a date, adds an empty section for later ones, and updates the links
 * at the end of the file.
 *
 * @param date  YYYY-MM-DD
 * @param home  address of the repository
 * @throws Error if there are no unreleased changes, or the version exists already
 */
export function datedChangelog(text: string, version: string, date: string, home: string): string {
  if (text.includes(`\n## [${version}]`)) throw new Error(`Expected a new version, found ${version} in the CHANGELOG.`)
  const [before, after, ...others] = text.split(UNRELEASED)
  if (after === undefined || others.length > 0) {
    throw new Error(
      `Expected one section "${UNRELEASED.trim()}" in the CHANGELOG, found ${text.split(UNRELEASED).length - 1}.`,
    )
  }
  const [changes = ''] = after.split(/^(?:## |\[Unreleased\]:)/m)
  if (!/^- /m.test(changes)) throw new Error('Expected changes to release, found none in the CHANGELOG.')
  const dated = `${before}${UNRELEASED}\n## [${version}] - ${date}\n${after}`
  const [, previous] = /^## \[(\d[^\]]*)\]/m.exec(after) ?? []
  const target = previous === undefined ? `releases/tag/v${version}` : `compare/v${previous}...v${version}`
  const unreleased = `[Unreleased]: ${home}/compare/v${version}...HEAD\n`
  return dated.replace(/^\[Unreleased\]: .*\n/m, `${unreleased}[${version}]: ${home}/${target}\n`)
}

/** What one kind of changes has: its lines by their heading of level 4; lines without one are below ''. */
type Groups = Map<string, string[]>

function readKinds(section: string): Map<string, Groups> {
  const kinds = new Map<string, Groups>()
  let groups: Groups = new Map()
  let lines: string[] = []
  for (const line of section.split('\n')) {
    const [, kind] = /^### (.+)/.exec(line) ?? []
    const [, group] = /^#### (.+)/.exec(line) ?? []
    if (kind !== undefined) {
      groups = new Map()
      kinds.set(kind, groups)
    } else if (group !== undefined) {
      lines = []
      groups.set(group, lines)
    } else if (line !== '') {
      if (groups.size === 0) {
        lines = []
        groups.set('', lines)
      }
      lines.push(line)
    }
  }
  return kinds
}

function formatKinds(kinds: ReadonlyMap<string, Groups>): string {
  const parts: string[] = []
  for (const kind of CHANGE_KINDS) {
    const groups = kinds.get(kind)
    if (groups === undefined) continue
    parts.push(`### ${kind}`)
    for (const [group, lines] of groups) {
      if (group !== '') parts.push(`#### ${group}`)
      parts.push(lines.join('\n'))
    }
  }
  return parts.join('\n\n')
}

/**
 * Moves the unreleased changes into the section of a version that has one but was not released, each to its kind and
 * before what is there, and dates the section.
 *
 * @param date  YYYY-MM-DD
 * @throws Error if one of the two sections is missing
 */
export function joinedChangelog(text: string, version: string, date: string): string {
  const head = `## [${version}] - `
  const links = text.search(/^\[[^\]]+\]: /m)
  const sections = (links === -1 ? text : text.slice(0, links)).split(/^(?=## \[)/m)
  const unreleased = sections.findIndex((section) => section.startsWith(UNRELEASED))
  const dated = sections.findIndex((section) => section.startsWith(head))
  if (unreleased === -1 || dated === -1) {
    throw new Error(
      `Expected the sections "${UNRELEASED.trim()}" and "${head}DATE" in the CHANGELOG, found one at most.`,
    )
  }
  const kinds = readKinds((sections[dated] as string).replace(/^.*\n/, ''))
  for (const [kind, groups] of readKinds((sections[unreleased] as string).replace(/^.*\n/, ''))) {
    const found: Groups = kinds.get(kind) ?? new Map()
    kinds.set(kind, found)
    for (const [group, lines] of groups) {
      // Lines without a heading go to the first one.
      const [first = ''] = found.keys()
      const name = group === '' ? first : group
      found.set(name, [...lines, ...(found.get(name) ?? [])])
    }
  }
  sections[unreleased] = `${UNRELEASED}\n`
  sections[dated] = `${head}${date}\n\n${formatKinds(kinds)}\n\n`
  return sections.join('') + (links === -1 ? '' : text.slice(links))
}

/** What the CHANGELOG says about a version, without its heading. @throws Error if it has no section of it */
export function releaseNotes(text: string, version: string): string {
  const [section] = text.split(/^(?=## \[)/m).filter((part) => part.startsWith(`## [${version}] - `))
  if (section === undefined) {
    throw new Error(`Expected a section "## [${version}] - DATE" in the CHANGELOG, found none.`)
  }
  return `${section
    .replace(/^.*\n/, '')
    .replace(/^\[[^\]]+\]: .*\n?/gm, '')
    .trim()}\n`
}

/** What is not as Keep a Changelog says, each as a sentence. */
export function changelogFaults(text: string): string[] {
  const faults: string[] = []
  if (!text.startsWith('# Changelog\n')) faults.push('Expected the CHANGELOG to begin with "# Changelog".')
  const sections = text.split(/^## /m).slice(1)
  if (!sections[0]?.startsWith('[Unreleased]\n')) faults.push('Expected "## [Unreleased]" as its first section.')
  for (const section of sections) {
    const [head = ''] = section.split('\n', 1)
    if (head !== '[Unreleased]' && !/^\[\d+\.\d+\.\d+[^\]]*\] - \d{4}-\d{2}-\d{2}$/.test(head)) {
      faults.push(`Expected "## [1.2.3] - 2026-11-23" in the CHANGELOG, found "## ${head}".`)
    }
    const kinds = [...section.matchAll(/^### (.+)$/gm)].map(([, kind = '']) => kind)
    const unknown = kinds.filter((kind) => !CHANGE_KINDS.includes(kind))
    if (unknown.length > 0) {
      faults.push(`Expected ${CHANGE_KINDS.join(', ')} below "${head}", found ${unknown.join(', ')}.`)
    }
    if (new Set(kinds).size !== kinds.length) faults.push(`Expected each kind once below "${head}".`)
    const [, name = ''] = /^\[([^\]]+)\]/.exec(head) ?? []
    if (!text.includes(`\n[${name}]: https://`)) faults.push(`Expected a link "[${name}]: https://…" at its end.`)
    const lines = section
      .replace(/^\[[^\]]+\]: .*$/gm, '')
      .split('\n')
      .slice(1)
    const others = lines.filter((line) => line !== '' && !/^(?:- |#{3,4} )/.test(line))
    if (others.length > 0)
      faults.push(`Expected one line per change below "${head}", found "${others[0]?.slice(0, 60)}".`)
  }
  const changes = text.split('\n').filter((line) => line.startsWith('- '))
  const twice = changes.find((line, at) => changes.indexOf(line) < at)
  if (twice !== undefined)
    faults.push(`Expected each change once in the CHANGELOG, found twice "${twice.slice(0, 60)}".`)
  return faults
}
