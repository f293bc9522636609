/** Tracks one pointer from press to release. */

export interface PointerFollower {
  move(event: PointerEvent): void
  /** @param isCanceled  true if the browser or Escape canceled it, so that its effect must be reverted */
  end(isCanceled: boolean, last: PointerEvent): void
}

export function followPointer({ pointerId }: PointerEvent, { move, end }: PointerFollower): void {
  const controller = new AbortController()
  const { signal } = controller
  let last: PointerEvent | undefined
  const stop = (event: PointerEvent, isCanceled: boolean) => {
    if (event.pointerId !== pointerId) return
    controller.abort()
    end(isCanceled, event)
  }
  const onMove = (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return
    last = event
    move(event)
  }
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape' && last !== undefined) stop(last, true)
  }
  window.addEventListener('pointermove', onMove, { signal })
  window.addEventListener('pointerup', (event) => stop(event, false), { signal })
  window.addEventListener('pointercancel', (event) => stop(event, true), { signal })
  window.addEventListener('keydown', onKey, { signal })
}
