/** The texts of the scripts that are no modules: see page-text.ts. */
{
  /** @param {string} english  @param {Record<string, string | number>} [values] */
  const pageText = (english, values = {}) =>
    (globalThis.pageTexts?.get(english) ?? english).replace(/\{(\w+)\}/g, (whole, name) =>
      String(values[name] ?? whole),
    )
  Object.assign(globalThis, { pageText })
}
