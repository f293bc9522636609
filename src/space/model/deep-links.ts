/** Links that open a place of the space in the app or in a browser. Source: the interface, "Deep links". */
import type { SpaceInfo } from './space.ts'

const SCHEME = 'scriptorium'

/** `scriptorium://open?spaceId=…&documentId=…` */
export function appDeepLink({ id }: SpaceInfo, target: { documentId: string } | { blockId: string }): string {
  const [[name, value] = []] = Object.entries(target)
  return `${SCHEME}://open?spaceId=${id}&${name}=${value}`
}

/** `web` is there when people have an editor to open documents in. */
export function urlTemplates(info: SpaceInfo): { app: string; web?: string } {
  const app = appDeepLink(info, { blockId: '{blockId}' })
  if (info.editorUrl === undefined) return { app }
  return { app, web: `${info.editorUrl.replace(/\/+$/, '')}/d/${info.id}/{documentId}` }
}
