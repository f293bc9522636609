/** The names that GitHub uses, of which the package declares no types; see `paths` in tsconfig.json. */
declare const emojiByName: Readonly<Record<string, string>>
export default emojiByName
