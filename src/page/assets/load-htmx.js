/**
 * htmx reloads parts of pages and sends their forms. A document can be opened and written in without it: its page loads
 * htmx once something in the space has changed, a person points at a form or searches, or there are items of a collection.
 */

{
  /** @type {Promise<void> | undefined} */
  let loadingHtmx

  /** Resolves once htmx is there, or cannot be loaded: everything works without it, by whole pages. */
  function htmxReady() {
    const { htmx } = document.body.dataset
    if (htmx === undefined) return Promise.resolve()
    if (loadingHtmx !== undefined) return loadingHtmx
    // For each link, htmx looks whether an element around it says how it is followed. A long document has thousands.
    for (const link of document.querySelectorAll('.who a')) link.setAttribute('hx-boost', 'false')
    loadingHtmx = new Promise((resolve) => {
      const script = document.createElement('script')
      script.src = htmx
      // It looks for its attributes later, at the latest once the page is read.
      const whenReady = () => setTimeout(resolve)
      script.addEventListener('load', () => {
        if (document.readyState !== 'loading') whenReady()
        else document.addEventListener('DOMContentLoaded', whenReady)
      })
      script.addEventListener('error', () => {
        loadingHtmx = undefined
        resolve()
      })
      document.head.append(script)
    })
    return loadingHtmx
  }

  if (document.querySelector('[data-items]') !== null) htmxReady().catch(console.error)
  for (const type of ['pointerover', 'focusin'])
    document.addEventListener(type, ({ target }) => {
      // Buttons name the form that they send.
      if (target instanceof Element && target.closest('form, [form]') !== null) htmxReady().catch(console.error)
    })
  // For other scripts.
  Object.assign(globalThis, { htmxReady })
}
