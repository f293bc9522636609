/** Shows a picture as large as the window. The arrows lead to the other pictures of the document. */
import './large-pdf.ts'
import { downloadLink, largeButton } from './large-dialog.ts'
import { text } from './page-text.ts'

const PICTURES = '.block figure:not(.board) > a:has(img)'

document.addEventListener('opened', ({ target }) => {
  if (target instanceof HTMLAnchorElement && target.matches(PICTURES)) show(target)
})

function show(first: HTMLAnchorElement): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(PICTURES)]
  let at = links.indexOf(first)
  const large = document.createElement('dialog')
  large.className = 'large'
  const image = new Image()
  const caption = document.createElement('p')
  caption.setAttribute('role', 'status')
  const bar = document.createElement('div')
  const download = downloadLink()
  const draw = () => {
    const link = links[at]
    const alt = link?.querySelector('img')?.alt ?? ''
    if (link === undefined) return
    Object.assign(image, { src: link.href, alt })
    download.href = link.href
    large.setAttribute('aria-label', alt || text('Picture'))
    caption.textContent = links.length > 1 ? text('{at} of {all}', { at: at + 1, all: links.length }) : ''
  }
  const step = (by: number) => {
    at = (at + by + links.length) % links.length
    draw()
  }
  const ways = links.length > 1
  bar.append(
    ...(ways
      ? [
          largeButton('arrow-left', text('Previous picture'), () => step(-1)),
          largeButton('arrow-right', text('Next picture'), () => step(1)),
        ]
      : []),
    caption,
    download,
    largeButton('x', text('Close'), () => large.close()),
  )
  large.append(image, bar)
  large.addEventListener('keydown', ({ key }) => {
    if (ways && key === 'ArrowLeft') step(-1)
    else if (ways && key === 'ArrowRight') step(1)
  })
  large.addEventListener('click', ({ target }) => {
    if (target === large || target === image) large.close()
  })
  large.addEventListener('close', () => {
    large.remove()
    links[at]?.focus()
  })
  draw()
  document.body.append(large)
  large.showModal()
}
