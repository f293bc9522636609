/** Whiteboards that are only read: zooming, and panning by dragging. */

const canvas = document.getElementById('board')
const picture = document.querySelector<HTMLImageElement>('#board-picture')
const zoom = document.querySelector('[data-zoom]')
if (canvas !== null && picture !== null && zoom !== null) {
  let scale = 0
  /** @param next  0 to fit the window */
  const resize = (next: number) => {
    const before = scale || picture.clientWidth / (picture.naturalWidth || 1)
    scale = next === 0 ? 0 : Math.min(8, Math.max(0.05, before * next))
    canvas.classList.toggle('zoomed', scale > 0)
    const center = { x: canvas.scrollLeft + canvas.clientWidth / 2, y: canvas.scrollTop + canvas.clientHeight / 2 }
    picture.style.width = scale === 0 ? '' : `${Math.round(picture.naturalWidth * scale)}px`
    const ratio = scale === 0 ? 1 : scale / before
    canvas.scrollTo(center.x * ratio - canvas.clientWidth / 2, center.y * ratio - canvas.clientHeight / 2)
  }
  for (const button of zoom.querySelectorAll<HTMLButtonElement>('button')) {
    button.addEventListener('click', () => resize(Number(button.dataset.by)))
  }
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      resize(event.deltaY < 0 ? 1.1 : 1 / 1.1)
    },
    { passive: false },
  )
  canvas.addEventListener('keydown', ({ key }) => {
    if (key === '+' || key === '=') resize(1.25)
    else if (key === '-') resize(0.8)
    else if (key === '0') resize(0)
  })
  let isDragged = false
  canvas.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse' || scale === 0) return
    const from = { x: event.clientX + canvas.scrollLeft, y: event.clientY + canvas.scrollTop }
    isDragged = false
    const drag = (move: PointerEvent) => {
      isDragged = true
      canvas.scrollTo(from.x - move.clientX, from.y - move.clientY)
    }
    const stop = () => window.removeEventListener('pointermove', drag)
    window.addEventListener('pointermove', drag)
    window.addEventListener('pointerup', stop, { once: true })
  })
  // The picture links to its own page. Do not follow the link at the end of a drag, or while zoomed in.
  canvas.addEventListener('click', (event) => {
    if (isDragged || scale > 0) event.preventDefault()
  })
}

export {}
