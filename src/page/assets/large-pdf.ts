/** Shows a PDF over the page, in the viewer of the browser. Nothing of it is read before. */
import { downloadLink, largeButton } from './large-dialog.ts'
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'

document.addEventListener('opened', ({ target }) => {
  if (target instanceof HTMLAnchorElement && target.dataset.pdf !== undefined) inBackground(() => show(target))
})

async function show(link: HTMLAnchorElement): Promise<void> {
  const { href } = link
  const name = link.dataset.pdf || text('File')
  const large = document.createElement('dialog')
  large.className = 'large'
  large.setAttribute('aria-label', name)
  const caption = Object.assign(document.createElement('p'), { textContent: name })
  const open = Object.assign(document.createElement('a'), {
    ...{ className: 'button', href, target: '_blank', rel: 'noopener', textContent: text('Open in a new tab') },
  })
  const bar = document.createElement('div')
  const end = largeButton('x', text('Close'), () => large.close())
  bar.append(caption, open, downloadLink(href.replace(/\?.*$/, '')), end)
  large.append(bar)
  const say = (sentence: string) => {
    large.querySelector('iframe')?.remove()
    caption.textContent = `${name}: ${sentence}`
    caption.setAttribute('role', 'alert')
  }
  const refused = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective === 'frame-src')
      say(text('This address of the server shows no files within pages. Open it in a new tab, or download it.'))
  }
  document.addEventListener('securitypolicyviolation', refused)
  large.addEventListener('close', () => {
    document.removeEventListener('securitypolicyviolation', refused)
    large.remove()
    link.focus()
  })
  document.body.append(large)
  large.showModal()
  end.focus()
  const reason = await reasonAgainst(href)
  if (reason === undefined) large.prepend(frameOf(href, name))
  else say(reason)
}

/** Why it cannot be shown here; undefined if it can. */
async function reasonAgainst(href: string): Promise<string | undefined> {
  // On phones and tablets, a frame has the first page at most.
  if (!navigator.pdfViewerEnabled || matchMedia('(pointer: coarse)').matches)
    return text('This browser does not show a PDF within a page. Open it in a new tab, or download it.')
  const response = await fetch(href, { method: 'HEAD' }).catch(() => undefined)
  if (response === undefined) return text('You are offline. The file can be shown once the server is reached.')
  if (!response.ok) return text('The file is not there any more, or this link does not reach it.')
  const isShown = response.headers.get('content-disposition')?.startsWith('inline') ?? false
  return isShown ? undefined : text('This is no PDF, whatever its name says. Download it to look at it elsewhere.')
}

function frameOf(src: string, title: string): HTMLIFrameElement {
  const frame = Object.assign(document.createElement('iframe'), { src, title, referrerPolicy: 'no-referrer' })
  Object.assign(frame.style, { display: 'block', width: '92vw', height: '86vh', border: '0' })
  return frame
}
