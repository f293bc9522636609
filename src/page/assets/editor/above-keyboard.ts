/** Where the keyboard of a phone leaves room: it covers the page, whose window stays as large as it was. */

const phone = matchMedia('(max-width: 640px)')

/** True in a window as narrow as phone.css has it. */
export const isPhone = (): boolean => phone.matches

/** Keeps how much of the window the keyboard covers in `--keyboard`, for phone.css. @param draw  called after turning */
export function aboveKeyboard(bar: HTMLElement, draw: () => void, signal: AbortSignal): void {
  const { visualViewport, document } = window
  const measure = () => {
    const { height, offsetTop } = visualViewport ?? { height: innerHeight, offsetTop: 0 }
    const covered = Math.max(0, document.documentElement.clientHeight - height - offsetTop)
    document.documentElement.style.setProperty('--keyboard', `${covered}px`)
  }
  for (const type of ['resize', 'scroll'] as const) visualViewport?.addEventListener(type, measure, { signal })
  phone.addEventListener(
    'change',
    () => {
      // Where it stood on a wider window.
      bar.removeAttribute('style')
      draw()
    },
    { signal },
  )
  measure()
}
