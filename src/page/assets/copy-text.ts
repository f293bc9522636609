/** Puts a text on the clipboard. */

/**
 * Browsers only have a clipboard in secure contexts. Elsewhere, what is shown is selected and copied.
 *
 * @returns false if the browser did not allow it. What is shown is selected then.
 */
export async function copyText(content: string, shown: HTMLElement): Promise<boolean> {
  try {
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(content)
      return true
    }
  } catch {
    // Refused: the older way may still be allowed.
  }
  if (shown instanceof HTMLInputElement) shown.select()
  else window.getSelection()?.selectAllChildren(shown)
  return document.execCommand('copy')
}
