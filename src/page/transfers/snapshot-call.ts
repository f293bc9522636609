/**
 * Calls on one snapshot of a space: what is written meanwhile does not change an export. They are the calls of the
 * reader's own tools, so an export has what the reader can read, and nothing else.
 */
import type { Space } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import type { PageCall } from '../page-call.ts'
import { ViewCall } from '../view-call.ts'

/** Stands before the addresses of pages, so that an export finds them in what it renders. */
export const OWN_PAGES = 'own:'

export const withSnapshot = <T>(
  { request, endpoints, comparer }: PageCall,
  work: (snapshot: PageCall, view: Space) => Promise<T>,
): Promise<T> => {
  const { caller, now, log } = request
  const { space, link } = caller
  const language = request.request.headers.get('accept-language')
  return space.read(link, (view) => {
    const frozen = { space: frozenSpace(space, view), link }
    const options = { caller: frozen, base: OWN_PAGES, now, log, language }
    return work(new ViewCall(options, endpoints, comparer), view)
  })
}

/** The space as the transaction of a view sees it. Nothing can be written. */
const frozenSpace = (space: OpenSpace, view: Space): OpenSpace =>
  Object.create(space, {
    info: { value: space.info },
    files: { value: space.files },
    read: { value: (link: Space['link'], work: (view: Space) => Promise<unknown>) => work(view.withLink(link)) },
    write: { value: refuse },
    writeAndRollBack: { value: refuse },
  })

const refuse = () => Promise.reject(new Error('Expected an export to read only, found a write.'))
