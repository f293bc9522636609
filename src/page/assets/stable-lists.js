/**
 * Lists whose rows have buttons stay as they are while somebody points at them or has the focus in them: a new row would
 * put the button of another one under the pointer. What is new waits until the pointer and the focus have left, or until
 * the person asks for it.
 */
{
  const { body } = document
  /** Lists in which something was pressed or changed by a form, and when: the next update shows what came of it. @type {WeakMap<Element, number>} */
  const pressed = new WeakMap()
  /** Lists with an update that waits. @type {Set<Element>} */
  const held = new Set()

  /** @param {EventTarget | null} target */
  const listOf = (target) => (target instanceof Element ? target.closest('[data-stable]') : null)

  // Touch screens report what was touched last.
  const canPoint = matchMedia('(hover: hover)')
  /** @param {Element} list */
  const isInUse = (list) => list.matches(':focus-within') || (canPoint.matches && list.matches(':hover'))

  /**
   * The rows of a list, each with its names: its ID, and its last call, since the ID of a row is that of its first call,
   * which a long list leaves out at some time.
   *
   * @param {ParentNode} list
   */
  const rowsIn = (list) =>
    /** @type {HTMLElement[]} */ ([...list.querySelectorAll('li[id], .card[id]')])
      .filter((row) => row.closest('details, [data-own]') === null)
      .map(({ id, dataset: { latest = id } }) => [id, latest])

  /** The text of a list, without how long ago things were, and without what the person did. @param {Element | null} list */
  const textOf = (list) => {
    const copy = /** @type {Element | undefined} */ (list?.cloneNode(true))
    for (const part of copy?.querySelectorAll('time, .held, [data-own]') ?? []) part.remove()
    return copy?.textContent?.replace(/\s+/g, ' ') ?? ''
  }

  /** Shows a button over the list, which takes no room in it. @param {Element} list  @param {DocumentFragment} update */
  const hold = (list, update) => {
    const known = new Set(rowsIn(list).flat())
    const count = rowsIn(update).filter((names) => !names.some((name) => known.has(name))).length
    held.add(list)
    const [before, after] = [textOf(list), textOf(update.firstElementChild)]
    // A row of the person takes the place of the last one.
    if (before === after || (update.querySelector('[data-own]') && before.startsWith(after))) return
    const button = list.querySelector(':scope > .held') ?? document.createElement('button')
    button.className = 'held'
    button.setAttribute('type', 'button')
    button.textContent = count === 0 ? pageText('Show changes') : pageText('Show {count} new', { count })
    if (!button.isConnected) list.prepend(button)
  }

  const ask = () => body.dispatchEvent(new CustomEvent('spacechange'))

  body.addEventListener('htmx:config:request', (event) => {
    const { ctx } = /** @type {CustomEvent} */ (event).detail
    ctx.askedAt = performance.now()
  })
  body.addEventListener('htmx:before:swap', (event) => {
    /** @type {{ ctx: { sourceElement: Element, askedAt: number }, tasks: { target: unknown, fragment: DocumentFragment }[] }} */
    const { ctx, tasks } = /** @type {CustomEvent} */ (event).detail
    if (!ctx.sourceElement.getAttribute('hx-trigger')?.startsWith('spacechange')) return
    for (const task of [...tasks]) {
      const { target, fragment } = task
      const list = target instanceof Element && target.matches('[data-stable]') ? target : undefined
      if (list === undefined) continue
      held.delete(list)
      const pressedAt = pressed.get(list)
      // What was asked for before does not have it yet.
      if (pressedAt !== undefined && ctx.askedAt >= pressedAt) pressed.delete(list)
      if (pressedAt !== undefined || !isInUse(list)) continue
      tasks.splice(tasks.indexOf(task), 1)
      hold(list, fragment)
    }
  })

  document.addEventListener(
    'click',
    ({ target }) => {
      const list = listOf(target)
      if (list === null || !(target instanceof Element) || target.closest('button, input, [role="checkbox"]') === null)
        return
      pressed.set(list, performance.now())
      if (target.closest('.held') !== null) ask()
    },
    true,
  )

  // The forms of rows open in a dialog.
  document.addEventListener('formdone', () => {
    for (const list of document.querySelectorAll('[data-stable]')) pressed.set(list, performance.now())
  })

  const release = () => {
    for (const list of held) {
      if (list.isConnected && isInUse(list)) continue
      held.delete(list)
      if (list.isConnected) ask()
    }
  }
  document.addEventListener('pointerout', ({ target }) => listOf(target) && setTimeout(release))
  document.addEventListener('focusout', ({ target }) => listOf(target) && setTimeout(release))
}
